package dev.sequitur.node.configuration;

import java.util.List;

/** A configuration that cannot be used: everything that is wrong with it, a sentence for each. */
public final class ConfigurationMistakes extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient List<String> sentences;

  public ConfigurationMistakes(List<String> sentences) {
    super(String.join("\n", sentences));
    this.sentences = List.copyOf(sentences);
  }

  public List<String> sentences() {
    return sentences;
  }
}
