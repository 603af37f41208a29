package dev.sequitur.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.guard.Grants.Missing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantsTest {
  private static final Grants GRANTS =
      new Grants(
          Map.of(
              "looks",
              new Role(
                  Set.of(MethodGroup.READ),
                  Map.of(Named.Kind.QUEUES, List.of("*"), Named.Kind.IDENTITIES, List.of("*"))),
              "sends",
              new Role(
                  Set.of(MethodGroup.SUBMIT),
                  Map.of(
                      Named.Kind.IDENTITIES, List.of("alice@node1", "bot-*@node1"),
                      Named.Kind.QUEUES, List.of("default")))));
  private static final Principal SENDER = with("sends");
  private static final Principal BOTH = with("looks", "sends");

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "sends, SUBMIT, IDENTITIES alice@node1, -",
        "sends, SUBMIT, IDENTITIES bot-7@node1, -",
        "sends, SUBMIT, IDENTITIES bot-7@node2, identities = [\"bot-7@node2\"] beside methods = [submit]",
        "sends, SUBMIT, IDENTITIES bob@node1, identities = [\"bob@node1\"] beside methods = [submit]",
        "sends, SUBMIT, QUEUES default, -",
        "sends, SUBMIT, QUEUES other, queues = [\"other\"] beside methods = [submit]",
        "sends, SUBMIT, ACCOUNTS alice, accounts = [\"alice\"] beside methods = [submit]",
        "sends, READ, QUEUES default, methods = [read]",
        "looks, READ, QUEUES other, -",
        "looks, READ, QUEUES *, -",
        "sends, SUBMIT, QUEUES *, queues = [\"*\"] beside methods = [submit]",
        "looks, OPERATE, QUEUES other, methods = [operate]",
        "unknown, READ, QUEUES default, methods = [read]"
      })
  void aCallNeedsItsGroupAndItsNames(String role, MethodGroup group, String named, String missing) {
    var words = named.split(" ", -1);
    var what = List.of(new Named(Named.Kind.valueOf(words[0]), words[1]));

    assertThat(GRANTS.missing(with(role), group, what).map(Missing::grant).orElse(null))
        .isEqualTo(missing);
  }

  private static final Grants OWN =
      new Grants(
              Map.of(
                  "looks",
                  new Role(
                      Set.of(MethodGroup.READ),
                      Map.of(
                          Named.Kind.IDENTITIES, List.of("alice@node1"),
                          Named.Kind.GROUPS, List.of("own"))),
                  "makes",
                  new Role(
                      Set.of(MethodGroup.SUBMIT),
                      Map.of(
                          Named.Kind.IDENTITIES, List.of("alice@node1"),
                          Named.Kind.GROUPS, List.of("new"))),
                  "all",
                  new Role(Set.of(MethodGroup.SUBMIT), Map.of(Named.Kind.GROUPS, List.of("*")))))
          .with(
              group ->
                  switch (group) {
                    case "0xaa" -> List.of("carol@node1", "alice@node1");
                    case "0xbb" -> List.of("carol@node1");
                    default -> List.of();
                  });

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "looks, READ, 0xaa, true",
    "looks, READ, 0xbb, false",
    "looks, READ, 0xcc, false",
    "looks, READ, *, false",
    "looks, READ, new, false",
    "makes, SUBMIT, 0xaa, false",
    "makes, SUBMIT, new, true",
    "all, SUBMIT, 0xcc, true",
    "all, SUBMIT, new, true",
    "makes+looks, SUBMIT, 0xaa, false",
    "makes+looks, READ, 0xaa, true"
  })
  void whoHasItsOwnGroupsHasThoseOfItsIdentities(
      String roles, MethodGroup group, String name, boolean granted) {
    var what = List.of(new Named(Named.Kind.GROUPS, name));

    assertThat(OWN.missing(with(roles.split("\\+")), group, what).isEmpty()).isEqualTo(granted);
  }

  @ParameterizedTest(name = "{0} makes one of {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "makes, alice@node1, -",
        "makes, carol@node1 alice@node1, -",
        "makes, carol@node1, identities = [\"carol@node1\"] beside methods = [submit]",
        "makes, '', groups = [\"*\"] beside methods = [submit]",
        "all, carol@node1, -",
        "all, '', -",
        "looks, alice@node1, methods = [submit]"
      })
  void whoMakesAGroupIsInItOrMayMakeAny(String role, String members, String missing) {
    var local = members.isEmpty() ? List.<String>of() : List.of(members.split(" "));

    assertThat(
            OWN.missingToMake(with(role), MethodGroup.SUBMIT, local)
                .map(Missing::grant)
                .orElse(null))
        .isEqualTo(missing);
  }

  /** What they are in is all that has to be read before what the caller may see is known. */
  @Test
  void identitiesMatterWhereARoleWithTheSameMethodsHasGroupsOfItsOwn() {
    var reads =
        new Role(
            Set.of(MethodGroup.READ, MethodGroup.OPERATE),
            Map.of(Named.Kind.IDENTITIES, List.of("bob@node1", "c*")));
    var submits = new Role(Set.of(MethodGroup.SUBMIT), Map.of(Named.Kind.IDENTITIES, List.of("*")));
    var roles = new HashMap<>(OWN.roles());
    roles.putAll(Map.of("reads", reads, "submits", submits));
    var grants = new Grants(roles);

    assertThat(grants.identitiesThatMatter(with("looks", "reads", "submits", "none")))
        .extracting(NamePattern::text)
        .containsExactlyInAnyOrder("alice@node1", "bob@node1", "c*");
    assertThat(grants.identitiesThatMatter(with("makes", "reads", "submits", "all"))).isEmpty();
    assertThat(grants.identitiesThatMatter(Principal.ANYBODY)).isEmpty();
  }

  @Test
  void whatARoleMayNameCountsForItsOwnMethodsAlone() {
    var bob = List.of(new Named(Named.Kind.IDENTITIES, "bob@node1"));

    assertThat(GRANTS.missing(BOTH, MethodGroup.READ, bob)).isEmpty();
    assertThat(GRANTS.missing(BOTH, MethodGroup.SUBMIT, bob)).isPresent();
  }

  @Test
  void everyNameMustBeGranted() {
    assertThat(
            GRANTS.missing(
                SENDER,
                MethodGroup.SUBMIT,
                List.of(
                    new Named(Named.Kind.IDENTITIES, "alice@node1"),
                    new Named(Named.Kind.IDENTITIES, "bob@node1"))))
        .map(Missing::grant)
        .hasValueSatisfying(grant -> assertThat(grant).contains("bob@node1"));
  }

  @Test
  void whoIsNotAskedMayDoEverything() {
    for (var group : MethodGroup.values()) {
      assertThat(GRANTS.missing(Principal.ANYBODY, group)).isEmpty();
      assertThat(
              GRANTS.missing(
                  Principal.ANYBODY, group, List.of(new Named(Named.Kind.GROUPS, Named.ALL))))
          .isEmpty();
    }
  }

  @Test
  void aRefusalSaysWhoLacksWhatAndNothingElse() {
    assertThat(GRANTS.missing(SENDER, MethodGroup.CHAOS).orElseThrow().sentence())
        .isEqualTo(
            "token:one may not do this: no role of it has methods = [chaos]. Who runs the node can"
                + " grant it (callers.roles).");
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "alice, alice, true",
    "alice, alice2, false",
    "*, anything, true",
    "*@node1, alice@node1, true",
    "*@node1, alice@node10, false",
    "*@node1, @node1, true",
    "a*c, abc, true",
    "a*c, ac, true",
    "a*c, ab, false",
    "aa*aa, aaa, false",
    "aa*aa, aaaa, true",
    "a*b*c, a-b-c, true",
    "a*b*c, a-c-b, false",
    "a*b*c, abc, true",
    "*aa*aa*, aaa, false",
    "*aa*aa*, aaaa, true",
    "*a*, b, false",
    "a*bc*c, abc, false",
    "**, x, true",
    "a.c, abc, false",
    "A*, alice, false"
  })
  void aStarStandsForAnyCharacters(String pattern, String name, boolean matches) {
    assertThat(new NamePattern(pattern).matches(name)).isEqualTo(matches);
  }

  private static Principal with(String... roles) {
    return new Principal(Principal.Kind.TOKEN, "one", List.of(roles));
  }
}
