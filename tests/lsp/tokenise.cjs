// Tokenises files by TextMate grammars in the engine of VS Code: reads {grammars: {scope: path}, files: [{scope, path}]}
// from standard input, writes for every file its tokens as [start, end, scope], places counted from its beginning.
const fs = require("fs");
const path = require("path");
const modules = process.argv[2];
const textmate = require(path.join(modules, "vscode-textmate"));
const oniguruma = require(path.join(modules, "vscode-oniguruma"));

async function main() {
  const asked = JSON.parse(fs.readFileSync(0, "utf8"));
  const engine = fs.readFileSync(path.join(modules, "vscode-oniguruma/release/onig.wasm")).buffer;
  await oniguruma.loadWASM(engine);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      textmate.parseRawGrammar(fs.readFileSync(asked.grammars[scope], "utf8"), asked.grammars[scope]),
  });
  const answers = [];
  for (const file of asked.files) {
    const grammar = await registry.loadGrammar(file.scope);
    const tokens = [];
    let state = textmate.INITIAL;
    let start = 0;
    for (const line of fs.readFileSync(file.path, "utf8").split("\n")) {
      const read = grammar.tokenizeLine(line, state);
      state = read.ruleStack;
      for (const token of read.tokens) {
        tokens.push([start + token.startIndex, start + Math.min(token.endIndex, line.length), token.scopes.at(-1)]);
      }
      start += line.length + 1;
    }
    answers.push(tokens);
  }
  process.stdout.write(JSON.stringify(answers));
}

main();
