/* details.js - the dialog "Details": problems and statistics of the model in view. Public domain. */
'use strict';

/* Shows the remarks of mdconvert about the model, if it was converted, and the report of info. */
async function showDetails() {
  if (!ready) return;
  const [remarks, report] = $('details').querySelectorAll('pre');
  const entry = shownEntry, lines = [...new Set([...(entry?.remarks || []), ...currentNote().split('\n')])].filter(Boolean);
  remarks.textContent = lines.join('\n');
  report.textContent = '';
  $('details').showModal();
  try {
    const files = usedFiles(), models = files.map(([name]) => name).filter(isModel);
    const { lines } = await runProgram('info', models, files, 'Reading the files');
    if (entry === shownEntry) report.textContent = lines.join('\n');
  } catch (why) {
    if (why !== STOPPED) report.textContent = messageOf(why);
  }
}
