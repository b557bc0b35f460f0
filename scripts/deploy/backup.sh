#!/bin/sh
# backup.sh FOLDER NAME [PROGRAM]: verifies the store that DATABASE_URL names, exports it to FOLDER, keeps exports for 30 days, and writes
# the time for PlantsBackupOld: node_exporter --collector.textfile.directory=FOLDER. Copy the exports to another machine.
set -eu
folder=$1
name=$2
node "${3:-dist/src/cli.js}" plants verify
node "${3:-dist/src/cli.js}" plants export "$folder/plants-$name-$(date +%F-%H%M%S).jsonl"
# Not those of a store whose name begins with this one.
d='[0-9]'
find "$folder" -maxdepth 1 -name "plants-$name-$d$d$d$d-$d$d-$d$d-$d$d$d$d$d$d.jsonl" -mtime +30 -delete
umask 022
printf '# HELP plants_backup_end_seconds When the last export has ended.\n# TYPE plants_backup_end_seconds gauge\nplants_backup_end_seconds{store="%s"} %s\n' \
  "$name" "$(date +%s)" > "$folder/$name.new"
mv "$folder/$name.new" "$folder/$name.prom"
