package dev.sequitur.node.process;

import java.util.List;

/**
 * Ends this process when the one that started it is gone, however that ended: a node that a
 * demonstration starts is not to be left behind by a kill -9. Only a process that was started so
 * watches; a node that a person starts outlives the shell.
 */
public final class ParentProcess {
  private static final String PROPERTY = "sequitur.ends-with";

  private ParentProcess() {}

  /** The flag with which a child of this process is started. */
  public static List<String> flags() {
    return List.of("-D" + PROPERTY + "=" + ProcessHandle.current().pid());
  }

  /** Stops in order, as by a signal, when the parent has ended, or if it has already. */
  public static void watch() {
    var parent = Long.getLong(PROPERTY);
    if (parent != null) {
      ProcessHandle.of(parent)
          .ifPresentOrElse(
              handle -> handle.onExit().thenRun(ParentProcess::end), ParentProcess::end);
    }
  }

  /** On a thread of its own: the end of the process waits for what runs. */
  private static void end() {
    new Thread(() -> System.exit(1), "parent has ended").start();
  }
}
