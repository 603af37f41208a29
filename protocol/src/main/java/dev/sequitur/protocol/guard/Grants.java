package dev.sequitur.protocol.guard;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The roles of a node, by name. A call is allowed if a role of its caller has its group of methods,
 * and for each thing that it names such a role grants the name. The word {@code own} among a role's
 * privacy groups grants those of which an identity is a member that such a role grants, whenever
 * they are made; the word {@code new} lets its caller make groups of which one is.
 *
 * @param members of each group, as far as they are of this node: nobody sends here as another's
 */
public record Grants(Map<String, Role> roles, Members members) {
  public Grants {
    roles = Map.copyOf(roles);
  }

  /** Where no group is known. */
  public Grants(Map<String, Role> roles) {
    this(roles, group -> List.of());
  }

  /** Who is in a privacy group. */
  @FunctionalInterface
  public interface Members {
    /**
     * @param group as it is {@link Named}
     * @return as grants spell identities; none if there is no such group
     */
    Collection<String> of(String group);
  }

  /** The same with groups. */
  public Grants with(Members known) {
    return new Grants(roles, known);
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

  /**
   * The identities by whose groups it is decided what a caller may see: those that a role grants
   * which has a group of methods in common with one that grants a caller its own groups. None if it
   * does not depend on who is in a privacy group.
   */
  public Set<NamePattern> identitiesThatMatter(Principal caller) {
    var all = isFree(caller) ? List.<Role>of() : rolesOf(caller).toList();
    var own = all.stream().filter(Role::grantsOwnGroups).toList();
    return all.stream()
        .filter(
            role ->
                own.stream().anyMatch(it -> !Collections.disjoint(it.methods(), role.methods())))
        .flatMap(role -> role.identities().stream())
        .collect(Collectors.toUnmodifiableSet());
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
        .filter(named -> !isOwnGroup(mine, named))
        .findFirst()
        .map(
            named ->
                new Missing(
                    caller,
                    "%s = [\"%s\"] beside methods = [%s]"
                        .formatted(named.kind().word(), named.name(), group.word())));
  }

  private boolean isOwnGroup(List<Role> mine, Named named) {
    return named.kind() == Named.Kind.GROUPS
        && !named.name().equals(Named.ALL)
        && !named.name().equals(Named.NEW)
        && mine.stream().anyMatch(Role::grantsOwnGroups)
        && members.of(named.name()).stream()
            .map(member -> new Named(Named.Kind.IDENTITIES, member))
            .anyMatch(member -> mine.stream().anyMatch(role -> role.grants(member)));
  }

  /**
   * What a caller lacks to make a privacy group by a method of a group: it may make any, or one
   * with an identity of its own among the members.
   *
   * @param local those of its members that are of this node
   */
  public Optional<Missing> missingToMake(
      Principal caller, MethodGroup group, Collection<String> local) {
    var mayMake = missing(caller, group, List.of(new Named(Named.Kind.GROUPS, Named.NEW)));
    var all = missing(caller, group, List.of(new Named(Named.Kind.GROUPS, Named.ALL)));
    if (mayMake.isPresent() || all.isEmpty()) {
      return mayMake;
    }
    var lacking =
        local.stream()
            .map(
                member -> missing(caller, group, List.of(new Named(Named.Kind.IDENTITIES, member))))
            .toList();
    return lacking.stream().anyMatch(Optional::isEmpty)
        ? Optional.empty()
        : lacking.stream().findFirst().orElse(all);
  }

  private static boolean isFree(Principal caller) {
    return !caller.isAsked();
  }

  private List<Role> withGroup(Principal caller, MethodGroup group) {
    return rolesOf(caller).filter(role -> role.methods().contains(group)).toList();
  }

  private Stream<Role> rolesOf(Principal caller) {
    return caller.roles().stream().map(roles::get).filter(Objects::nonNull);
  }
}
