package dev.sequitur.console;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * Where a command writes. Results go to {@code out}; progress and complaints to {@code err}, so
 * that a redirected result holds nothing else.
 *
 * @param interactive whether a person watches, so that a line may be drawn over
 * @param width of the terminal in characters
 */
public record Console(PrintWriter out, PrintWriter err, boolean interactive, int width) {
  private static final int DEFAULT_WIDTH = 80;

  /** The process's own. */
  public static Console system() {
    // The terminal's encoding, which UTF-8 output on another one would garble.
    var charset = Charset.forName(System.getProperty("native.encoding", "UTF-8"));
    return new Console(
        new PrintWriter(System.out, true, charset),
        new PrintWriter(System.err, true, charset),
        isTerminal() && !"dumb".equals(System.getenv("TERM")),
        width(System.getenv("COLUMNS")));
  }

  public ProgressBar progress(String label, long total) {
    return new ProgressBar(this, System::nanoTime, label, total);
  }

  /**
   * Asks for a secret, which is not shown while it is typed. Waits for the answer.
   *
   * @return empty if nobody is there who could be asked, or no answer comes
   */
  public Optional<char[]> secret(String question) {
    return isTerminal()
        ? Optional.ofNullable(System.console().readPassword("%s", question))
        : Optional.empty();
  }

  private static boolean isTerminal() {
    var console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there is a console without a terminal too.
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }

  private static int width(String columns) {
    return columns != null && columns.matches("[0-9]{2,4}")
        ? Integer.parseInt(columns)
        : DEFAULT_WIDTH;
  }
}
