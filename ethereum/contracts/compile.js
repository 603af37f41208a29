// Compiles the contracts of a directory: node compile.js MODULES DIRECTORY [SOURCES]
// MODULES is where `npm ci` has put the compiler; the artifacts are written to DIRECTORY; SOURCES is
// this directory, unless another one is named.
const fs = require("fs");
const path = require("path");

const [modules, directory, from = __dirname] = process.argv.slice(2);
const solc = require(path.resolve(modules, "solc"));
const settings = { evmVersion: "london", optimizer: { enabled: true, runs: 1000000 }, metadata: { bytecodeHash: "none" } };
const sources = {};
for (const file of fs.readdirSync(from).filter((name) => name.endsWith(".sol")).sort()) {
  sources[file] = { content: fs.readFileSync(path.join(from, file), "utf8") };
}
const wanted = { "*": { "*": ["abi", "evm.bytecode.object"] } };
const input = { language: "Solidity", sources, settings: { ...settings, outputSelection: wanted } };
const output = JSON.parse(solc.compile(JSON.stringify(input)));
for (const problem of output.errors ?? []) console.error(problem.formattedMessage);
if ((output.errors ?? []).length > 0) process.exit(1);
for (const [file, contracts] of Object.entries(output.contracts)) {
  for (const [name, contract] of Object.entries(contracts)) {
    const artifact = {
      contract: name,
      source: file,
      compiler: solc.version(),
      settings,
      creation: "0x" + contract.evm.bytecode.object,
      abi: contract.abi,
    };
    fs.writeFileSync(path.join(directory, name + ".json"), JSON.stringify(artifact, null, 2) + "\n");
  }
}
