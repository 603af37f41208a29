// Runs several programs in one process, one after the other, since an SDK takes seconds to load: each with arguments
// of its own, "--" between two. What one says stands below its name.
const programs = [[]];
for (const argument of process.argv.slice(2)) {
  if (argument === "--") programs.push([]);
  else programs.at(-1).push(argument);
}
for (const [program, ...given] of programs) {
  console.log(`== ${program}`);
  process.argv = [process.argv[0], program, ...given];
  try {
    await import(`./${program}`);
  } catch (error) {
    console.error(program, error);
  }
}
