// npm start, npm test and the other commands. Plain JavaScript without dependencies: it runs before anything is
// installed, and on the Node that is there, to install and find the Node that the product needs.
const major = Number(process.versions.node.split(".")[0]);

if (major < 20) {
  process.stderr.write(
    `Arcada needs Node 20 or later to start (this is ${process.version}). 需要 Node 20 或更高版本。\n`,
  );
  process.exitCode = 1;
} else {
  import("./lib/app-commands.mjs")
    .then(({ runCommand }) => runCommand(process.argv[2], process.argv.slice(3)))
    .then((code) => process.exit(code))
    .catch((error) => {
      process.stderr.write(`${error.userMessage ?? error.stack}\n`);
      process.exit(1);
    });
}
