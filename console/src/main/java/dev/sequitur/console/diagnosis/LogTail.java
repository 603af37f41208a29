package dev.sequitur.console.diagnosis;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The end of a log. */
public final class LogTail {
  /** A mebibyte: some thousand lines. */
  public static final int MOST_BYTES = 1024 * 1024;

  private LogTail() {}

  /**
   * The last {@value #MOST_BYTES} bytes at most, from the beginning of a line on. Waits for the
   * disk.
   *
   * @throws IOException if it is not there or cannot be read
   */
  public static String of(Path log) throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      long length = file.length();
      long begin = Math.max(0, length - MOST_BYTES);
      file.seek(begin);
      var bytes = new byte[(int) (length - begin)];
      file.readFully(bytes);
      var text = new String(bytes, StandardCharsets.UTF_8);
      return begin == 0 ? text : text.substring(text.indexOf('\n') + 1);
    }
  }
}
