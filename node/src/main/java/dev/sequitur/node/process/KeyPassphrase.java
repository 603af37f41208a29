package dev.sequitur.node.process;

import dev.sequitur.console.Console;
import dev.sequitur.crypto.Passphrase;
import dev.sequitur.crypto.PassphraseSource;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * The passphrase of a key seed: of the first line of a file, else of the environment, else of who
 * sits at the terminal.
 *
 * @param file of the configuration or an option
 * @param environment the value of {@link #VARIABLE}
 * @param terminal asks a question and waits for the answer; empty if nobody answers
 */
public record KeyPassphrase(
    Optional<Path> file, Optional<String> environment, Function<String, Optional<char[]>> terminal)
    implements PassphraseSource {
  /** Of the environment. Whoever may read the process's memory may read it, too. */
  public static final String VARIABLE = "SEQUITUR_KEY_PASSPHRASE";

  /** As this process was started. */
  public static KeyPassphrase ofProcess(Optional<Path> file) {
    return new KeyPassphrase(
        file,
        Optional.ofNullable(System.getenv(VARIABLE)).filter(text -> !text.isEmpty()),
        question -> Console.system().secret(question));
  }

  @Override
  public Optional<Passphrase> given() throws IOException {
    if (file.isPresent()) {
      return Optional.of(Passphrase.read(file.get(), terminal));
    }
    return environment.isPresent()
        ? Optional.of(of(environment.get(), VARIABLE + " is no passphrase: "))
        : Optional.empty();
  }

  @Override
  public Passphrase toOpen(Path seed) throws IOException {
    var given = given();
    if (given.isPresent()) {
      return given.get();
    }
    return asked("Passphrase of " + seed + ": ")
        .orElseThrow(
            () ->
                new IOException(
                    "The key seed %s is encrypted, and its passphrase is not given: name a file that has it by node.key-passphrase-file, or set %s."
                        .formatted(seed, VARIABLE)));
  }

  /**
   * A new one, which is asked for twice if it is not given.
   *
   * @throws IOException with a sentence that says what to do, if there is none
   */
  public Passphrase fresh() throws IOException {
    var given = given();
    if (given.isPresent()) {
      return given.get();
    }
    var first =
        asked("New passphrase: ")
            .orElseThrow(
                () ->
                    new IOException(
                        "No new passphrase is given: name a file whose first line it is, or run this at a terminal."));
    var second = asked("The same again: ");
    if (!second.equals(Optional.of(first))) {
      throw new IOException("The two passphrases are not the same: nothing is changed.");
    }
    return first;
  }

  private Optional<Passphrase> asked(String question) throws IOException {
    var typed = terminal.apply(question);
    if (typed.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(CharBuffer.wrap(typed.get()), "That is no passphrase: "));
    } finally {
      Arrays.fill(typed.get(), ' ');
    }
  }

  private static Passphrase of(CharSequence text, String otherwise) throws IOException {
    try {
      return Passphrase.of(text);
    } catch (IllegalArgumentException e) {
      throw new IOException(otherwise + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return "KeyPassphrase[file=" + file + "]";
  }
}
