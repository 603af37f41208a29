package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.json.Unreadable;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What the functions of {@code noto} take, as its clients write it: a member without a node is of
 * the sender's, an amount may be hexadecimal, and data are bytes.
 */
final class NotoInputs {
  static final String NO_DATA = "0x";
  static final int MAX_RECIPIENTS = 16;

  private static final int MAX_DATA_CHARACTERS = 32_768;
  private static final int MAX_WORD_CHARACTERS = 66;
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");
  private static final String BYTES_TYPE = "0x and two digits for each byte, at most 16 KiB";

  /** A node that no identity is of, in the place of one that is left out. */
  private static final NodeName LEFT_OUT = new NodeName("left-out");

  /**
   * A member, who may be named without the node.
   *
   * @param here whether the node was left out: it is the sender's
   */
  record Member(Identity identity, boolean here) {
    static Member parse(String text) {
      return new Member(NotoInputs.at(LEFT_OUT).apply(text), text.indexOf('@') < 0);
    }

    Identity at(NodeName node) {
      return here ? new Identity(identity.name(), node) : identity;
    }

    @Override
    public String toString() {
      return here ? identity.name() : identity.toString();
    }
  }

  static final Format<Member> MEMBER =
      DomainFormats.text(
          "an identity, written name@node, or name for one of the sender's node",
          "alice@node1",
          Member::parse);

  static final Format<BigInteger> POSITIVE = amount("1", TokenAmount::isValid);
  static final Format<BigInteger> POSITIVE_OR_ZERO =
      amount("0", value -> value.signum() == 0 || TokenAmount.isValid(value));

  /** In lower case. */
  static final Format<String> BYTES =
      Format.of(BYTES_TYPE, Shape.words(BYTES_TYPE, "0x00"), NotoInputs::bytes);

  static final Field<Member> TO = Field.of("to", MEMBER, "a member of the group");

  private NotoInputs() {}

  private static Format<BigInteger> amount(String least, Predicate<BigInteger> is) {
    return DomainFormats.number(
        "a whole number from "
            + least
            + " to 2^256 - 1, as a JSON number, a string of digits, or 0x and hexadecimal digits",
        "^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$",
        node -> number(node).filter(is));
  }

  private static Optional<BigInteger> number(JsonNode node) {
    return node.isTextual()
            && node.textValue().length() <= MAX_WORD_CHARACTERS
            && HEXADECIMAL.matcher(node.textValue()).matches()
        ? Optional.of(new BigInteger(node.textValue().substring(2), 16))
        : DomainFormats.wholeNumber(node);
  }

  /** Reads an identity that may lack its node. */
  static Function<String, Identity> at(NodeName node) {
    return text -> Identity.parse(text.indexOf('@') < 0 ? text + "@" + node : text);
  }

  /** An identity of the committee. */
  static Identity member(Sent sent, Field<Member> field, NodeName node, Committee committee) {
    var identity = sent.get(field).at(node);
    RuleViolation.unless(
        committee.member(identity).isPresent(),
        () ->
            "%s is no member of the group: who else is to be paid is named in options.members when the token is made, or added later (`sequitur group change`)."
                .formatted(identity));
    return identity;
  }

  static Payment payment(Given given, Sent sent, Field<BigInteger> amount) {
    return new Payment(
        member(sent, TO, given.from().node(), given.committee()),
        new TokenAmount(sent.get(amount)));
  }

  /** Who acts for himself, as the only one who may. */
  static void requireFromSender(Given given, Sent sent, Field<Member> field) {
    if (!sent.get(field).at(given.from().node()).equals(given.from())) {
      throw sent.wrong(field, " must be the sender: nobody acts for another.");
    }
  }

  /** A member by the address of his key. */
  static Identity account(Sent sent, Field<LedgerAddress> field, Accounts accounts) {
    return accounts
        .find(sent.get(field))
        .orElseThrow(() -> sent.wrong(field, " must be the address of a member's key."));
  }

  private static String bytes(String path, JsonNode node) {
    if (!node.isTextual()) {
      throw Format.wrongType(path, BYTES_TYPE, node);
    }
    var data = node.textValue().toLowerCase(Locale.ROOT);
    if (!data.isEmpty() && (data.length() > MAX_DATA_CHARACTERS || !isBytes(data))) {
      throw Unreadable.wrongType(path + " must be " + BYTES_TYPE + ".");
    }
    return data.isEmpty() ? NO_DATA : data;
  }

  static boolean isBytes(String text) {
    return text.startsWith(NO_DATA)
        && text.length() % 2 == 0
        && text.chars().skip(2).allMatch(c -> Character.digit(c, 16) >= 0 && c < 'g');
  }
}
