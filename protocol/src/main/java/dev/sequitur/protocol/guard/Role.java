package dev.sequitur.protocol.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What everybody may do who has it.
 *
 * @param methods groups of methods
 * @param names patterns of what calls of these groups may name; a kind that is not there grants
 *     none of it. A pattern is a name, in which {@code *} stands for any characters. Among those of
 *     groups {@code own} and {@code new} are words ({@link Grants})
 */
public record Role(Set<MethodGroup> methods, Map<Named.Kind, List<String>> names) {
  public Role {
    methods = Set.copyOf(methods);
    names = Map.copyOf(names);
  }

  /** Whether it grants the groups of its caller's identities. */
  boolean grantsOwnGroups() {
    return names.getOrDefault(Named.Kind.GROUPS, List.of()).contains(Named.OWN);
  }

  boolean grants(Named named) {
    return names.getOrDefault(named.kind(), List.of()).stream()
        .anyMatch(pattern -> matches(pattern, named.name()));
  }

  /** Each part between the stars is looked for after the one before, so that nothing backtracks. */
  static boolean matches(String pattern, String name) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(name);
    }
    var parts = pattern.split("\\*", -1);
    var last = parts[parts.length - 1];
    int at = parts[0].length();
    int end = name.length() - last.length();
    if (end < at || !name.startsWith(parts[0]) || !name.endsWith(last)) {
      return false;
    }
    for (int i = 1; i < parts.length - 1; i++) {
      int found = name.indexOf(parts[i], at);
      if (found < 0 || found + parts[i].length() > end) {
        return false;
      }
      at = found + parts[i].length();
    }
    return true;
  }
}
