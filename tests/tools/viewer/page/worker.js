/* worker.js - runs mdconvert once, for convert.js, which makes a new worker for each job: so its memory goes with it.
   It gets the program, the files to begin with and the command line, and answers with each line that is said, then with
   the files that were made. Public domain. */
'use strict';

onmessage = ({ data: { script, program, files, words } }) => {
  const say = line => postMessage({ line });

  const end = status => {
    const made = status ? [] : FS.readdir('/made').filter(name => !/^\.\.?$/.test(name));
    postMessage({ status, files: made.map(name => [name, FS.readFile('/made/' + name)]) });
  };

  self.Module = {
    arguments: words,
    wasmBinary: program,
    print: say,
    printErr: say,
    quit: (status, why) => { end(status); throw why; },
    onAbort: () => end(1),
    preRun: [() => {
      FS.mkdir('/made');
      for (const [path, bytes] of files) {
        FS.mkdirTree(('/' + path).replace(/[^/]*$/, ''));
        FS.writeFile('/' + path, bytes);
      }
      FS.chdir('/');
    }]
  };
  importScripts(script);
};
