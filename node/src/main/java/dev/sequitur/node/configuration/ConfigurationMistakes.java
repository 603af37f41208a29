package dev.sequitur.node.configuration;

import dev.sequitur.console.WrongOption;
import java.util.List;

/** A configuration that cannot be used: everything that is wrong with it, a sentence for each. */
public final class ConfigurationMistakes extends WrongOption {
  private static final long serialVersionUID = 1;

  public ConfigurationMistakes(List<String> sentences) {
    super(sentences);
  }
}
