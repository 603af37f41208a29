package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.client.command.ClientCommands;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.rpc.RunningRpc;
import java.util.ArrayList;
import java.util.List;

/** {@code sequitur schedule …} as a person types it, with a node to ask. */
final class ScheduleConsole implements AutoCloseable {
  private final RunningRpc rpc;
  private RecordedConsole console = new RecordedConsole();

  ScheduleConsole(RunningRpc rpc) {
    this.rpc = rpc;
  }

  RunningRpc rpc() {
    return rpc;
  }

  /** What a command that must succeed prints. */
  String run(String line) {
    assertThat(execute(line)).as(err()).isZero();
    return out().strip();
  }

  /** The exit code of a command whose words have no spaces. */
  int execute(String line) {
    return execute(List.of(line.split(" ")));
  }

  int execute(List<String> line) {
    console = new RecordedConsole();
    var words = new ArrayList<String>();
    words.add("schedule");
    words.addAll(line);
    if (!line.contains("--help") && !line.get(0).equals("key")) {
      words.addAll(2, List.of("--node", rpc.uri("/").toString()));
    }
    return execute(console, words);
  }

  /** The exit code of a whole command line. */
  static int execute(RecordedConsole console, List<String> words) {
    return ClientCommands.commandLine(console.console(), new StopSignal())
        .execute(words.toArray(String[]::new));
  }

  /** What the last command printed. */
  String out() {
    return console.out();
  }

  /** What the last command complained of. */
  String err() {
    return console.err();
  }

  @Override
  public void close() {
    rpc.close();
  }
}
