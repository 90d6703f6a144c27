// Starts `gpkit lsp` for programs of gpkit. Without the package vscode-languageclient there are colours alone.
const vscode = require("vscode");

let client;

function activate() {
  let languageClient;
  try {
    languageClient = require("vscode-languageclient/node");
  } catch {
    vscode.window.showInformationMessage("gpkit: colours only; `npm install` in the extension's folder brings findings.");
    return undefined;
  }
  const [command, ...args] = vscode.workspace.getConfiguration("gpkit").get("command");
  const languages = ["arithmetic", "sinking", "rulegraph", "decision", "execution"];
  client = new languageClient.LanguageClient("gpkit", "gpkit", { command, args }, {
    documentSelector: languages.map((name) => ({ language: `gpkit-${name}` })),
  });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
