package dev.sequitur.node.rpc.method;

import dev.sequitur.protocol.guard.Principal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names that callers choose live within the caller: nobody takes another's, or learns that there is
 * one. Stored is {@code token:ci/books}; who is asked for nothing is the node's owner, whose names
 * stand as they are, and who reaches all others' as they are stored.
 */
public final class CallersNames {
  private static final Pattern OWNED = Pattern.compile("(?:token|jwt|certificate):[^/]*/");

  private CallersNames() {}

  /** How it is stored. */
  public static String stored(Principal caller, String name) {
    return prefix(caller) + name;
  }

  /** As its caller knows it; empty if it is another's. */
  static Optional<String> own(Principal caller, String stored) {
    var prefix = prefix(caller);
    return stored.startsWith(prefix)
        ? Optional.of(stored.substring(prefix.length()))
        : Optional.empty();
  }

  /** As whoever has made it knows it. */
  public static String chosen(String stored) {
    var owned = OWNED.matcher(stored);
    return owned.lookingAt() ? stored.substring(owned.end()) : stored;
  }

  /** No caller's is the beginning of another's. */
  private static String prefix(Principal caller) {
    return switch (caller.kind()) {
      case UNASKED -> "";
      case TOKEN, JWT, CERTIFICATE ->
          caller.toString().replace("%", "%25").replace("/", "%2F") + "/";
    };
  }
}
