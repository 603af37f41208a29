package dev.sequitur.domain;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain.Construction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The configuration of a group of the domain {@code noto}.
 *
 * @param notary the only one who may mint if that is restricted
 * @param endorsedByNotary the notary alone endorses, and not the committee
 */
record NotoConfiguration(
    Token token, Optional<Identity> notary, Basic basic, boolean endorsedByNotary) {
  static final String NAME = "name";
  static final String SYMBOL = "symbol";
  static final String DECIMALS = "decimals";

  private static final String NOTARY = GroupConfiguration.NOTARY;
  private static final String THRESHOLD = GroupConfiguration.THRESHOLD;
  private static final String CHANGE_THRESHOLD = GroupConfiguration.CHANGE_THRESHOLD;
  private static final String MODE = "notaryMode";
  private static final String BASIC = "basic";
  private static final String HOOKS = "hooks";
  private static final String RESTRICT_MINT = "restrictMint";
  private static final String ALLOW_BURN = "allowBurn";
  private static final String ALLOW_LOCK = "allowLock";
  private static final String ENDORSEMENT = "endorsement";
  private static final String COMMITTEE = "committee";
  private static final String IMPLEMENTATION = "implementation";
  private static final String OPTIONS = "options";
  private static final String MEMBERS = "members";

  static final List<String> FIELDS =
      List.of(
          THRESHOLD,
          CHANGE_THRESHOLD,
          NOTARY,
          MODE,
          NAME,
          SYMBOL,
          DECIMALS,
          RESTRICT_MINT,
          ALLOW_BURN,
          ALLOW_LOCK,
          ENDORSEMENT);

  private static final int MAX_CHARACTERS = 200;
  private static final int MAX_DECIMALS = 255;
  private static final int USUAL_DECIMALS = 4;
  private static final int MAX_INPUT_BYTES = 65_536;

  /** How people write the token. */
  record Token(String name, String symbol, int decimals) {}

  /** What the owners of coins may do. */
  record Basic(boolean restrictMint, boolean allowBurn, boolean allowLock) {}

  /** The only one who may mint; empty if all members may. */
  Optional<Identity> minter() {
    return basic.restrictMint() ? notary : Optional.empty();
  }

  static NotoConfiguration of(PrivacyGroup group) {
    return of(GroupConfiguration.fields(group.configuration(), FIELDS));
  }

  /**
   * @throws RuleViolation with a sentence for the caller
   */
  static NotoConfiguration of(JsonFields fields) {
    checkMode(fields);
    var notary =
        fields.has(NOTARY) ? Optional.of(fields.identity(NOTARY)) : Optional.<Identity>empty();
    var configuration =
        new NotoConfiguration(
            token(fields), notary, basic(fields, notary.isPresent()), isByNotary(fields));
    RuleViolation.unless(
        notary.isPresent() || !configuration.basic().restrictMint(),
        "A group with '" + RESTRICT_MINT + "' needs '" + NOTARY + "', who then mints.");
    RuleViolation.unless(
        !configuration.endorsedByNotary()
            || (notary.isPresent() && fields.has(THRESHOLD) && isOne(fields)),
        "A group whose '"
            + ENDORSEMENT
            + "' is '"
            + NOTARY
            + "' needs that notary, and '"
            + THRESHOLD
            + "' 1.");
    return configuration;
  }

  private static boolean isOne(JsonFields fields) {
    return fields.wholeNumber(THRESHOLD).equals(BigInteger.ONE);
  }

  private static void checkMode(JsonFields fields) {
    if (fields.has(MODE)) {
      RuleViolation.unless(
          !fields.text(MODE).equals(HOOKS),
          "The '"
              + MODE
              + "' '"
              + HOOKS
              + "' runs a contract in a private EVM, and there is none here: choose '"
              + BASIC
              + "'.");
      RuleViolation.unless(
          fields.text(MODE).equals(BASIC), "The '" + MODE + "' must be '" + BASIC + "'.");
    }
  }

  private static Token token(JsonFields fields) {
    return new Token(
        fields.has(NAME) ? shortText(fields, NAME) : "",
        fields.has(SYMBOL) ? shortText(fields, SYMBOL) : "",
        fields.has(DECIMALS) ? decimals(fields) : USUAL_DECIMALS);
  }

  private static String shortText(JsonFields fields, String name) {
    var text = fields.text(name);
    RuleViolation.unless(
        text.length() <= MAX_CHARACTERS && text.chars().noneMatch(Character::isISOControl),
        "The group's '"
            + name
            + "' must have at most "
            + MAX_CHARACTERS
            + " characters, no control characters.");
    return text;
  }

  private static int decimals(JsonFields fields) {
    var decimals = fields.wholeNumber(DECIMALS);
    RuleViolation.unless(
        decimals.signum() >= 0 && decimals.compareTo(BigInteger.valueOf(MAX_DECIMALS)) <= 0,
        "The group's '" + DECIMALS + "' must be between 0 and " + MAX_DECIMALS + ".");
    return decimals.intValueExact();
  }

  private static Basic basic(JsonFields fields, boolean hasNotary) {
    return new Basic(
        fields.flag(RESTRICT_MINT, hasNotary),
        fields.flag(ALLOW_BURN, true),
        fields.flag(ALLOW_LOCK, true));
  }

  private static boolean isByNotary(JsonFields fields) {
    if (!fields.has(ENDORSEMENT)) {
      return false;
    }
    var by = fields.text(ENDORSEMENT);
    RuleViolation.unless(
        by.equals(NOTARY) || by.equals(COMMITTEE),
        "The group's '" + ENDORSEMENT + "' must be '" + NOTARY + "' or '" + COMMITTEE + "'.");
    return by.equals(NOTARY);
  }

  /**
   * Which group a constructor asks for: the notary, who asks for it, and those whom the options
   * name besides.
   *
   * @throws RuleViolation with a sentence for the caller
   */
  static Construction.Wanted constructed(Identity from, Bytes inputs) {
    var fields =
        new JsonFields(
            CanonicalJson.read(inputs, MAX_INPUT_BYTES, "The inputs of the constructor"),
            "The inputs of the constructor",
            List.of(NAME, SYMBOL, DECIMALS, NOTARY, MODE, IMPLEMENTATION, OPTIONS));
    Function<String, Identity> local = NotoInputs.at(from.node());
    checkMode(fields);
    RuleViolation.unless(
        !fields.has(IMPLEMENTATION) || fields.text(IMPLEMENTATION).isEmpty(),
        "There is one implementation of noto here: leave '" + IMPLEMENTATION + "' out.");
    var options = options(fields);
    var notary = fields.identity(NOTARY, local);
    var basic = basic(options);
    var token = token(fields);
    var configuration =
        CanonicalJson.object()
            .put(NAME, token.name())
            .put(SYMBOL, token.symbol())
            .put(DECIMALS, token.decimals())
            .put(NOTARY, notary.toString())
            .put(MODE, BASIC)
            .put(RESTRICT_MINT, basic.restrictMint())
            .put(ALLOW_BURN, basic.allowBurn())
            .put(ALLOW_LOCK, basic.allowLock())
            .put(ENDORSEMENT, isByNotary(options) ? NOTARY : COMMITTEE);
    if (options.has(THRESHOLD)) {
      configuration.put(THRESHOLD, options.wholeNumber(THRESHOLD));
    } else if (isByNotary(options)) {
      configuration.put(THRESHOLD, 1);
    }
    if (options.has(CHANGE_THRESHOLD)) {
      configuration.put(CHANGE_THRESHOLD, options.wholeNumber(CHANGE_THRESHOLD));
    }
    var members = new LinkedHashSet<Identity>();
    members.add(notary);
    members.add(from);
    members.addAll(members(options, local));
    return new Construction.Wanted(
        token.name().isEmpty() ? NotoDomain.NAME : token.name(),
        List.copyOf(members),
        CanonicalJson.write(configuration));
  }

  private static JsonFields options(JsonFields fields) {
    var options = fields.has(OPTIONS) ? fields.required(OPTIONS) : CanonicalJson.object();
    RuleViolation.unless(
        !options.hasNonNull(HOOKS), "Hooks run a contract in a private EVM: there is none here.");
    return new JsonFields(
        options,
        "The options of the constructor",
        List.of(BASIC, HOOKS, MEMBERS, ENDORSEMENT, THRESHOLD, CHANGE_THRESHOLD));
  }

  private static Basic basic(JsonFields options) {
    var basic = options.has(BASIC) ? options.required(BASIC) : CanonicalJson.object();
    return basic(
        new JsonFields(basic, "The basic options", List.of(RESTRICT_MINT, ALLOW_BURN, ALLOW_LOCK)),
        true);
  }

  private static List<Identity> members(JsonFields options, Function<String, Identity> local) {
    if (!options.has(MEMBERS)) {
      return List.of();
    }
    var what = "The options of the constructor";
    RuleViolation.unless(
        options.required(MEMBERS).isArray(), what + " need '" + MEMBERS + "' as an array.");
    var members = new ArrayList<Identity>();
    for (var member : options.required(MEMBERS)) {
      members.add(
          new JsonFields(CanonicalJson.object().set(MEMBERS, member), what, List.of(MEMBERS))
              .identity(MEMBERS, local));
    }
    return members;
  }
}
