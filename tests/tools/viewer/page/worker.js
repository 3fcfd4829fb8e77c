/* worker.js - runs mdconvert or info once, for convert.js, which creates a new worker for each job, so that its memory is
   freed. The worker receives the program, the input files and the command line. It posts each line that the program
   prints, and then the output files. Public domain. */
'use strict';

onmessage = ({ data: { script, program, files, words } }) => {
  const postLine = line => postMessage({ line });

  const postResult = status => {
    const outputs = status ? [] : FS.readdir('/made').filter(name => !/^\.\.?$/.test(name));
    postMessage({ status, files: outputs.map(name => [name, FS.readFile('/made/' + name)]) });
  };

  self.Module = {
    arguments: words,
    wasmBinary: program,
    print: postLine,
    printErr: postLine,
    quit: (status, why) => { postResult(status); throw why; },
    onAbort: () => postResult(1),
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
