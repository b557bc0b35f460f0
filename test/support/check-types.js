/** A reporter that has the compiler check all types beside the tests, and fails the run if it finds something. A run of named files checks none. */
const { spawn } = require('node:child_process');

module.exports = class CheckTypes {
  constructor({ nonFlagArgs }) {
    this.isWholeRun = nonFlagArgs.length === 0;
  }

  onRunStart() {
    if (!this.isWholeRun) return;
    this.checked = new Promise((resolve) => {
      const child = spawn('npm', ['run', '--silent', 'types'], { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
      child.on('close', (code) => resolve({ code, output }));
    });
  }

  async onRunComplete() {
    if (!this.isWholeRun) return;
    console.log('Types:       being checked ...');
    const { code, output } = await this.checked;
    if (code === 0) return console.log('Types:       all checked');
    console.log(output);
    this.error = new Error('npm run types fails');
  }

  getLastError() {
    return this.error;
  }
};
