# To be sourced. Sets `flags`: what every JVM of Sequitur is started with, and `process_flags`: what those that
# stay are started with besides, as SEQUITUR_JVM_FOR says. Expects `feature`, the release of the JDK, as
# scripts/find-java prints it. The tests' JVMs get theirs from sequitur.jvm.flags in the pom.xml.
# shellcheck shell=bash disable=SC2034

# With two or fewer processors the JDK would start a thread per callback of Akka's Java API, hence
# the parallelism. Akka, Agrona and LevelDB JNI still use sun.misc.Unsafe, of which JDK 24 warns.
# What has no memory left for one thing stands half dead: it ends, as the installed product does, and
# whoever watches it starts it anew.
# Who has collected nothing for two minutes looks what is still used, and gives the rest back: a heap that grew
# under load would stay as large for ever.
# What crashes leaves no picture of its memory, which has keys and passphrases in it.
flags=(
  -XX:-CreateCoredumpOnCrash
  -XX:+ExitOnOutOfMemoryError
  -XX:G1PeriodicGCInterval=120000
  -Djava.util.concurrent.ForkJoinPool.common.parallelism=2
  -Dsun.misc.unsafe.memory.access=allow
  --add-opens=java.base/java.nio=ALL-UNNAMED
  --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
  --enable-native-access=ALL-UNNAMED
)
if [ "${feature:?}" -ge 25 ]; then
  flags+=(-XX:+UseCompactObjectHeaders)
fi
# Where schedules are to be on time to a millisecond: a collector that hardly pauses, and takes more of the processors.
process_flags=()
case "${SEQUITUR_JVM_FOR:-}" in
  '') ;;
  schedules)
    process_flags+=(-XX:+UseZGC)
    # From JDK 23 on it is so by itself.
    if [ "$feature" -lt 23 ]; then process_flags+=(-XX:+ZGenerational); fi
    ;;
  *)
    printf 'sequitur: SEQUITUR_JVM_FOR is %s: it may be schedules, or not be set.\n' "$SEQUITUR_JVM_FOR" >&2
    exit 2
    ;;
esac
