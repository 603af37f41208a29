package dev.sequitur.scheduler.actor;

/**
 * A queue cannot go on under the settings that its node was started with. Its message is for the
 * operator and says what to do.
 */
final class ChangedSettingsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ChangedSettingsException(String sentence) {
    super(sentence);
  }
}
