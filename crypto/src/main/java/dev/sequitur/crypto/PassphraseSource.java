package dev.sequitur.crypto;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Where a process has the passphrase of its key seed from. */
public interface PassphraseSource {
  /** For a process that knows of none: a seed that it makes is not encrypted. */
  PassphraseSource NONE =
      new PassphraseSource() {
        @Override
        public Optional<Passphrase> given() {
          return Optional.empty();
        }

        @Override
        public Passphrase toOpen(Path seed) throws IOException {
          throw new IOException("The key seed " + seed + " is encrypted: give its passphrase.");
        }
      };

  /**
   * What was set beforehand, by which a new seed is encrypted; empty if nothing was. Nobody is
   * asked.
   *
   * @throws IOException with a sentence that says what to do, if it cannot be read
   */
  Optional<Passphrase> given() throws IOException;

  /**
   * By which a seed can be opened; may ask a person and wait for the answer.
   *
   * @throws IOException with a sentence that says what to do, if there is none
   */
  Passphrase toOpen(Path seed) throws IOException;
}
