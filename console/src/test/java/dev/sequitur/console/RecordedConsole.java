package dev.sequitur.console;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A console whose output a test reads. */
public final class RecordedConsole {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Console console;

  /** Not a terminal. */
  public RecordedConsole() {
    this(false, 80);
  }

  RecordedConsole(boolean interactive, int width) {
    console =
        new Console(new PrintWriter(out, true), new PrintWriter(err, true), interactive, width);
  }

  public Console console() {
    return console;
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
