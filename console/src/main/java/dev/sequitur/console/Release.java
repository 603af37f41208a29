package dev.sequitur.console;

import java.util.Objects;

/** Which release of the product runs. The root pom names it, and nothing else does. */
public final class Release {
  private Release() {}

  /** Of the jar that this class is in; there is none when the build's own classes run. */
  public static String name() {
    return Objects.requireNonNullElse(
        Release.class.getPackage().getImplementationVersion(), "unreleased");
  }
}
