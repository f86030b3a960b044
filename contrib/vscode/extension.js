// Starts `beeline lsp` for the C files of a window. All else is the server's.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const settings = vscode.workspace.getConfiguration("beeline");
  const server = { command: settings.get("path"), args: ["lsp"], transport: TransportKind.stdio };
  const options = {
    documentSelector: [{ scheme: "file", language: "c" }],
    initializationOptions: { arguments: settings.get("arguments") },
  };
  client = new LanguageClient("beeline", "Beeline", server, options);
  await client.start();
};

exports.deactivate = () => client?.stop();
