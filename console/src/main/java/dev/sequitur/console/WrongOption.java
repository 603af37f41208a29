package dev.sequitur.console;

import java.util.List;

/** What a person has set and cannot be used: each sentence says what to do instead. */
public class WrongOption extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> sentences;

  public WrongOption(String sentence) {
    this(List.of(sentence));
  }

  /**
   * @param sentences one for each mistake
   */
  protected WrongOption(List<String> sentences) {
    super(String.join("\n", sentences));
    this.sentences = List.copyOf(sentences);
  }

  public final List<String> sentences() {
    return sentences;
  }
}
