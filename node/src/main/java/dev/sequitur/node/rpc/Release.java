package dev.sequitur.node.rpc;

import java.util.Objects;

/** Which release of the product runs. */
public final class Release {
  private Release() {}

  /** Of the jar that this class is in; there is none when the build's own classes run. */
  public static String name() {
    return Objects.requireNonNullElse(
        Release.class.getPackage().getImplementationVersion(), "unreleased");
  }
}
