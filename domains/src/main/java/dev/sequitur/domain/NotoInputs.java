package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The inputs of a function of {@code noto}, as its clients write them: a member without a node is
 * of the sender's, an amount may be hexadecimal, and data are bytes.
 */
final class NotoInputs {
  static final String NO_DATA = "0x";
  static final int MAX_RECIPIENTS = 16;

  private static final String TO = "to";
  private static final String AMOUNT = "amount";
  private static final String RECIPIENTS = "recipients";
  private static final int MAX_DATA_CHARACTERS = 32_768;
  private static final int MAX_WORD_CHARACTERS = 66;
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");

  private final Given given;
  private final String what;
  private final JsonFields fields;

  NotoInputs(Given given, JsonNode inputs, List<String> allowed) {
    this(given, inputs, "The inputs of " + given.transaction().function(), allowed);
  }

  private NotoInputs(Given given, JsonNode inputs, String what, List<String> allowed) {
    this.given = given;
    this.what = what;
    this.fields = new JsonFields(inputs, what, allowed);
  }

  /** Reads an identity that may lack its node. */
  static Function<String, Identity> at(NodeName node) {
    return text -> Identity.parse(text.indexOf('@') < 0 ? text + "@" + node : text);
  }

  Identity member(String name) {
    var identity = fields.identity(name, at(given.from().node()));
    RuleViolation.unless(
        given.committee().member(identity).isPresent(),
        () ->
            "%s is no member of the group, which is fixed: who else is to be paid is named in options.members when the token is made."
                .formatted(identity));
    return identity;
  }

  /** Who acts for himself, as the only one who may. */
  void requireFromSender(String name) {
    RuleViolation.unless(
        member(name).equals(given.from()),
        () -> what + " need '" + name + "' to be the sender: nobody acts for another.");
  }

  Payment payment() {
    return new Payment(member(TO), new Amount(positive(AMOUNT)));
  }

  List<Payment> recipients() {
    var recipients = fields.required(RECIPIENTS);
    RuleViolation.unless(
        recipients.isArray() && !recipients.isEmpty() && recipients.size() <= MAX_RECIPIENTS,
        () ->
            what
                + " need '"
                + RECIPIENTS
                + "' as an array of 1 to "
                + MAX_RECIPIENTS
                + " of them.");
    var payments = new ArrayList<Payment>();
    for (var recipient : recipients) {
      payments.add(
          new NotoInputs(given, recipient, "The recipients", List.of(TO, AMOUNT)).payment());
    }
    return payments;
  }

  BigInteger positive(String name) {
    var value = number(name);
    RuleViolation.unless(
        Amount.isValid(value), () -> what + " need '" + name + "' between 1 and 2^256 - 1.");
    return value;
  }

  BigInteger positiveOrZero(String name) {
    var value = number(name);
    RuleViolation.unless(
        value.signum() == 0 || Amount.isValid(value),
        () -> what + " need '" + name + "' between 0 and 2^256 - 1.");
    return value;
  }

  private BigInteger number(String name) {
    var value = fields.required(name);
    return value.isTextual()
            && value.textValue().length() <= MAX_WORD_CHARACTERS
            && HEXADECIMAL.matcher(value.textValue()).matches()
        ? new BigInteger(value.textValue().substring(2), 16)
        : fields.wholeNumber(name);
  }

  Hash hash(String name) {
    return fields.hash(name);
  }

  /** A member by the address of his key. */
  Identity account(String name, Accounts accounts) {
    var sentence = what + " need '" + name + "' as the address of a member's key.";
    try {
      return accounts
          .find(new LedgerAddress(fields.text(name)))
          .orElseThrow(() -> new RuleViolation(sentence));
    } catch (IllegalArgumentException e) {
      throw new RuleViolation(sentence);
    }
  }

  /** Bytes, in lower case; none if they are not there. */
  String data(String name) {
    if (!fields.has(name)) {
      return NO_DATA;
    }
    var data = fields.text(name).toLowerCase(Locale.ROOT);
    RuleViolation.unless(
        data.isEmpty() || (data.length() <= MAX_DATA_CHARACTERS && isBytes(data)),
        () -> what + " need '" + name + "' as 0x and two digits for each byte, at most 16 KiB.");
    return data.isEmpty() ? NO_DATA : data;
  }

  static boolean isBytes(String text) {
    return text.startsWith(NO_DATA)
        && text.length() % 2 == 0
        && text.chars().skip(2).allMatch(c -> Character.digit(c, 16) >= 0 && c < 'g');
  }
}
