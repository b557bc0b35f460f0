/** Refuses an older Node. Imported before anything else, because a module that such a Node cannot load fails with an unclear error. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`expected Node 20.19 or later, got ${process.versions.node}\n`);
  process.exit(1);
}
