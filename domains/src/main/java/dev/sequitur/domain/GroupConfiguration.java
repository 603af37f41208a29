package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The configuration of a group of a shipped domain: a JSON object, or nothing at all for all
 * defaults.
 *
 * @param endorsementThreshold how many members must endorse; by default all. Below all, the others
 *     rely on those: they check nothing
 * @param changeThreshold how many members must sign a change of the committee; by default as many
 *     as endorse
 * @param notary token: the only one who may mint; by default any member may
 */
public record GroupConfiguration(
    OptionalInt endorsementThreshold, OptionalInt changeThreshold, Optional<Identity> notary) {
  /** How many members must endorse: the whole committee where it is left out. */
  public static final String THRESHOLD = "endorsementThreshold";

  /** How many members must sign a change of the committee: as many as endorse where left out. */
  public static final String CHANGE_THRESHOLD = "changeThreshold";

  static final String NOTARY = "notary";

  private static final String WHAT = "The fields of the group's configuration";
  private static final int MAX_BYTES = 16_384;
  private static final int MAX_THRESHOLD = 10_000;

  /**
   * How many of the committee must endorse each transaction and sign each change of it, for the
   * contract's genesis.
   *
   * @param configuration of a group of any domain, which has checked what else is in it
   * @throws IllegalArgumentException with a sentence for the caller, if the configuration cannot be
   *     used with this committee
   */
  public static Quorum quorum(Bytes configuration, Committee committee) {
    try {
      var all = object(configuration);
      var names = new ArrayList<String>();
      all.fieldNames().forEachRemaining(names::add);
      return thresholds(new JsonFields(all, WHAT, names)).quorum(committee);
    } catch (RuleViolation e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static GroupConfiguration read(Bytes configuration, List<String> allowed) {
    var fields = fields(configuration, allowed);
    var thresholds = thresholds(fields);
    return new GroupConfiguration(
        thresholds.endorsementThreshold(),
        thresholds.changeThreshold(),
        fields.has(NOTARY) ? Optional.of(fields.identity(NOTARY)) : Optional.empty());
  }

  /** The fields of a domain that has more of them. */
  static JsonFields fields(Bytes configuration, List<String> allowed) {
    return new JsonFields(object(configuration), WHAT, allowed);
  }

  private static JsonNode object(Bytes configuration) {
    return configuration.isEmpty()
        ? CanonicalJson.object()
        : CanonicalJson.read(configuration, MAX_BYTES, "The group's configuration");
  }

  private static GroupConfiguration thresholds(JsonFields fields) {
    return new GroupConfiguration(
        threshold(fields, THRESHOLD), threshold(fields, CHANGE_THRESHOLD), Optional.empty());
  }

  private static OptionalInt threshold(JsonFields fields, String name) {
    if (!fields.has(name)) {
      return OptionalInt.empty();
    }
    var value = fields.wholeNumber(name);
    RuleViolation.unless(
        value.signum() > 0 && value.compareTo(BigInteger.valueOf(MAX_THRESHOLD)) <= 0,
        "The group's '" + name + "' must be between 1 and the number of its members.");
    return OptionalInt.of(value.intValueExact());
  }

  /** What it says of a committee. */
  Quorum quorum(Committee committee) {
    int endorse =
        among(committee, THRESHOLD, endorsementThreshold.orElse(committee.members().size()));
    return new Quorum(
        committee, endorse, among(committee, CHANGE_THRESHOLD, changeThreshold.orElse(endorse)));
  }

  private static int among(Committee committee, String name, int threshold) {
    int members = committee.members().size();
    RuleViolation.unless(
        threshold <= members,
        "The group's '" + name + "' must be between 1 and its " + members + " members.");
    return threshold;
  }
}
