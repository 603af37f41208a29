package dev.sequitur.console;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows how far something long has come: on a terminal a bar that is drawn over, elsewhere a line
 * at the start, at each tenth or every ten seconds, and at the end. Confined to one thread.
 */
public final class ProgressBar implements AutoCloseable {
  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final Duration NEW_LINE = Duration.ofSeconds(10);
  private static final int TENTHS = 10;
  private static final int LONGEST_BAR = 30;

  private final Console console;
  private final LongSupplier nanoTime;
  private final String label;
  private final long total;
  private final long started;
  private long shownAt;
  private long shownTenth;
  private long done;
  private String detail = "";
  private boolean closed;

  /**
   * @param nanoTime as {@link System#nanoTime}
   * @param total at least 1
   */
  ProgressBar(Console console, LongSupplier nanoTime, String label, long total) {
    this.console = console;
    this.nanoTime = nanoTime;
    this.label = label;
    this.total = Math.max(1, total);
    this.started = nanoTime.getAsLong();
    this.shownAt = started;
    show();
  }

  /**
   * @param nowDone of the total
   * @param nowDetail a few words beside the bar
   */
  public void update(long nowDone, String nowDetail) {
    done = Math.min(nowDone, total);
    detail = nowDetail;
    long now = nanoTime.getAsLong();
    long tenth = done * TENTHS / total;
    boolean due =
        console.interactive()
            ? now - shownAt >= REDRAW.toNanos()
            : tenth > shownTenth || now - shownAt >= NEW_LINE.toNanos();
    if (due) {
      shownAt = now;
      shownTenth = tenth;
      show();
    }
  }

  /** Shows the last state for good. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (console.interactive()) {
      show();
      console.err().println();
    } else if (shownTenth < TENTHS || done < total) {
      show();
    }
    console.err().flush();
  }

  private void show() {
    var line = line();
    if (console.interactive()) {
      // Back to the first column, and clear what a longer line has left.
      console.err().print("\r" + line + "\u001b[K");
    } else {
      console.err().println(line);
    }
    console.err().flush();
  }

  private String line() {
    var elapsed = Duration.ofNanos(nanoTime.getAsLong() - started);
    var numbers =
        String.format(
            Locale.ROOT, "%3d%%  %,d of %,d  %s", done * 100 / total, done, total, clock(elapsed));
    var text = detail.isEmpty() ? numbers : numbers + "  " + detail;
    if (!console.interactive()) {
      return label + ": " + text.strip();
    }
    int room = console.width() - 1 - label.length() - text.length() - 4;
    if (room < TENTHS) {
      return cut(label + "  " + text);
    }
    int length = Math.min(room, LONGEST_BAR);
    int filled = (int) (done * length / total);
    return label + " [" + "#".repeat(filled) + "-".repeat(length - filled) + "] " + text;
  }

  private String cut(String text) {
    return text.length() < console.width() ? text : text.substring(0, console.width() - 1);
  }

  private static String clock(Duration elapsed) {
    return String.format(Locale.ROOT, "%d:%02d", elapsed.toMinutes(), elapsed.toSecondsPart());
  }
}
