package dev.sequitur.protocol.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What everybody may do who has it.
 *
 * @param methods groups of methods
 * @param names patterns of what calls of these groups may name; a kind that is not there grants
 *     none of it. A pattern is a {@link NamePattern}. Among those of groups {@code own} and {@code
 *     new} are words ({@link Grants})
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

  List<NamePattern> identities() {
    return names.getOrDefault(Named.Kind.IDENTITIES, List.of()).stream()
        .map(NamePattern::new)
        .toList();
  }

  boolean grants(Named named) {
    return names.getOrDefault(named.kind(), List.of()).stream()
        .anyMatch(pattern -> new NamePattern(pattern).matches(named.name()));
  }
}
