package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.json.Unreadable;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What functions of domains take. */
public final class DomainFormats {
  private static final int MEMBERS_NAMED = 8;
  private static final String AMOUNT_TYPE =
      "a whole number from 1 to 2^256 - 1, as digits in a string or a JSON number";

  /**
   * At most 78 digits, as a JSON number or as a string of digits; in a string too, as JSON writes
   * it: there is one spelling of each.
   */
  public static final Format<BigInteger> WHOLE_NUMBER =
      number(
          "a whole number of at most 78 digits without leading zeros, as a JSON number or a string"
              + " of digits",
          "^(0|-?[1-9][0-9]{0,77})$",
          DomainFormats::wholeNumber);

  static final Format<TokenAmount> AMOUNT =
      number(
              AMOUNT_TYPE,
              "^[1-9][0-9]{0,77}$",
              node -> wholeNumber(node).filter(TokenAmount::isValid))
          .as(TokenAmount::new, TokenAmount::value);

  public static final Format<Identity> IDENTITY =
      text("an identity, written name@node", "alice@node1", Identity::parse);

  private DomainFormats() {}

  /**
   * A string that is read by a parser whose own words are not told: they may quote what is private.
   *
   * @param parser throws IllegalArgumentException
   */
  static <T> Format<T> text(String type, String example, Function<String, T> parser) {
    return Format.of(
        type,
        Shape.words(type, example),
        (path, node) -> {
          if (!node.isTextual()) {
            throw Format.wrongType(path, type, node);
          }
          try {
            return parser.apply(node.textValue());
          } catch (IllegalArgumentException e) {
            throw Unreadable.wrongType(path + " must be " + type + ".");
          }
        });
  }

  /**
   * @param pattern of its digits in a string
   * @param read empty if it is none of these numbers
   */
  static Format<BigInteger> number(
      String type, String pattern, Function<JsonNode, Optional<BigInteger>> read) {
    Shape<BigInteger> written =
        Shape.of(
            type,
            () -> {
              var schema = JsonText.object().put("title", type);
              schema.putArray("type").add("string").add("integer");
              return schema.put("pattern", pattern);
            },
            value -> JsonNodeFactory.instance.textNode(value.toString()));
    return Format.of(
        type,
        written,
        (path, node) ->
            read.apply(node)
                .orElseThrow(() -> Unreadable.wrongType(path + " must be " + type + ".")));
  }

  static Optional<BigInteger> wholeNumber(JsonNode node) {
    if (node.isTextual()) {
      return Optional.of(node.textValue()).filter(JsonFields::isWholeNumber).map(BigInteger::new);
    }
    return Optional.of(node).filter(JsonNode::isIntegralNumber).map(JsonNode::bigIntegerValue);
  }

  /**
   * An identity of the committee.
   *
   * @throws dev.sequitur.json.Refused with the members' names, if it is none
   */
  public static Identity member(Sent sent, Field<Identity> field, Committee committee) {
    var identity = sent.get(field);
    if (committee.member(identity).isEmpty()) {
      throw sent.wrong(field, " must be a member of the group: " + named(committee) + ".");
    }
    return identity;
  }

  private static String named(Committee committee) {
    var members = committee.identities();
    var names =
        members.stream()
            .limit(MEMBERS_NAMED)
            .map(Identity::toString)
            .collect(Collectors.joining(", "));
    int others = members.size() - MEMBERS_NAMED;
    return others > 0 ? names + " and " + others + " others" : names;
  }
}
