package dev.sequitur.protocol.guard;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The roles of a node, by name. A call is allowed if a role of its caller has its group of methods,
 * and for each thing that it names such a role grants the name.
 */
public record Grants(Map<String, Role> roles) {
  public Grants {
    roles = Map.copyOf(roles);
  }

  /**
   * What a caller would need.
   *
   * @param grant as a role's section has it: {@code methods = [submit]}
   */
  public record Missing(Principal caller, String grant) {
    /** For the caller: says nothing about whether what was named exists. */
    public String sentence() {
      return "%s may not do this: no role of it has %s. Who runs the node can grant it (callers.roles)."
          .formatted(caller, grant);
    }
  }

  /** What a caller lacks to call methods of a group at all. */
  public Optional<Missing> missing(Principal caller, MethodGroup group) {
    return isFree(caller) || !withGroup(caller, group).isEmpty()
        ? Optional.empty()
        : Optional.of(new Missing(caller, "methods = [" + group.word() + "]"));
  }

  /** What a caller lacks for a call of a group that names all these. */
  public Optional<Missing> missing(Principal caller, MethodGroup group, Collection<Named> what) {
    if (isFree(caller)) {
      return Optional.empty();
    }
    var mine = withGroup(caller, group);
    if (mine.isEmpty()) {
      return missing(caller, group);
    }
    return what.stream()
        .filter(named -> mine.stream().noneMatch(role -> role.grants(named)))
        .findFirst()
        .map(
            named ->
                new Missing(
                    caller,
                    "%s = [\"%s\"] beside methods = [%s]"
                        .formatted(named.kind().word(), named.name(), group.word())));
  }

  private static boolean isFree(Principal caller) {
    return !caller.isAsked();
  }

  private List<Role> withGroup(Principal caller, MethodGroup group) {
    return caller.roles().stream()
        .map(roles::get)
        .filter(Objects::nonNull)
        .filter(role -> role.methods().contains(group))
        .toList();
  }
}
