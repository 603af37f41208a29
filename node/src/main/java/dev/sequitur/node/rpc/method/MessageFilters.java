package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What a message listener is to be told.
 *
 * @param sequenceAbove messages up to this number are left out
 * @param domain the only one wanted; empty for all
 * @param group the id of the only one wanted; empty for all
 * @param topic a regular expression that the topics wanted hold; empty for all
 * @param excludeLocal whether messages of this node are left out
 */
record MessageFilters(
    long sequenceAbove,
    Optional<String> domain,
    Optional<Hash> group,
    Optional<Pattern> topic,
    boolean excludeLocal) {

  /** Characters that are looked at for one topic; an expression that needs more does not hold. */
  private static final int MOST_STEPS = 100_000;

  /** The {@code filters} as a caller reads them. */
  static final ObjectShape<MessageFilters> FILTERS =
      ObjectShape.<MessageFilters>named("MessageFilters")
          .maybe(
              "sequenceAbove",
              Shape.NUMBER,
              wanted -> Optional.of(wanted.sequenceAbove()).filter(above -> above > 0),
              "messages up to it are left out")
          .maybe("domain", Formats.NAME, MessageFilters::domain, "the only one wanted")
          .maybe("group", Formats.HASH, MessageFilters::group, "the only one wanted")
          .maybe(
              "topic",
              Formats.NAME,
              wanted -> wanted.topic().map(Pattern::pattern),
              "a regular expression that the topics wanted hold");

  /** The {@code options} as a caller reads them. */
  static final ObjectShape<MessageFilters> OPTIONS =
      ObjectShape.<MessageFilters>named("MessageOptions")
          .maybe(
              "excludeLocal",
              Formats.BOOLEAN,
              wanted -> Optional.of(wanted.excludeLocal()).filter(Boolean::booleanValue),
              "this node's own are left out");

  private static final Field<Long> SEQUENCE_ABOVE =
      Field.or("sequenceAbove", Formats.NUMBER, 0L, "messages up to it are left out");
  private static final Field<String> DOMAIN =
      Field.optional("domain", Formats.NAME, "the only one wanted");
  private static final Field<Hash> GROUP =
      Field.optional("group", Formats.HASH, "the id of the only one wanted");
  private static final Field<Pattern> TOPIC =
      Field.optional(
          "topic",
          Format.of(
              "a regular expression",
              Shape.words("a regular expression", "^invoices/"),
              (path, node) -> pattern(path, Formats.NAME.read(path, node))),
          "the topics wanted hold it; as Java writes it, and where it takes long it does not hold");
  private static final ObjectFormat SENT_FILTERS =
      ObjectFormat.of("MessageFiltersRequest", SEQUENCE_ABOVE, DOMAIN, GROUP, TOPIC).open();
  private static final Field<Boolean> EXCLUDE_LOCAL =
      Field.or("excludeLocal", Formats.BOOLEAN, false, "whether this node's own are left out");
  private static final ObjectFormat SENT_OPTIONS =
      ObjectFormat.of("MessageOptionsRequest", EXCLUDE_LOCAL).open();

  /** Of a new listener. */
  static final Field<Sent> SENT =
      Field.or("filters", SENT_FILTERS, SENT_FILTERS.empty("filters"), "what it is to be told");

  /** Of a new listener. */
  static final Field<Sent> OPTED =
      Field.or("options", SENT_OPTIONS, SENT_OPTIONS.empty("options"), "how it is to be told");

  /** By {@link #SENT} and {@link #OPTED}. */
  static MessageFilters of(Sent listener) {
    var filters = listener.get(SENT);
    return new MessageFilters(
        filters.get(SEQUENCE_ABOVE),
        filters.find(DOMAIN),
        filters.find(GROUP),
        filters.find(TOPIC),
        listener.get(OPTED).get(EXCLUDE_LOCAL));
  }

  private static Pattern pattern(String path, String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          "%s must be a regular expression: %s.".formatted(path, e.getDescription()));
    }
  }

  /** As it is stored with the listener: the same properties are always the same bytes. */
  Bytes toBytes() {
    var json = FILTERS.write(this);
    json.set("options", OPTIONS.write(this));
    return Bytes.of(JsonText.write(json));
  }

  /** What a stored listener is to be told. */
  static MessageFilters of(Listener listener) {
    var stored = JsonText.parse(listener.properties().toByteArray());
    return new MessageFilters(
        stored.path("sequenceAbove").longValue(),
        Optional.ofNullable(stored.path("domain").textValue()),
        Optional.ofNullable(stored.path("group").textValue()).map(Formats::hash),
        Optional.ofNullable(stored.path("topic").textValue()).map(Pattern::compile),
        stored.path("options").path("excludeLocal").booleanValue());
  }

  /** Whether the listener is told of this message. */
  boolean wants(MessageRow row, NodeName self) {
    var message = row.numbered().message();
    return row.numbered().sequence() > sequenceAbove
        && domain.map(only -> only.equals(row.group().domain())).orElse(true)
        && group.map(only -> only.equals(row.group().id().value())).orElse(true)
        && topic.map(only -> holds(only, message.content().topic())).orElse(true)
        && !(excludeLocal && message.from().equals(self));
  }

  /** An expression can be written for which looking takes years, or more than a thread's stack. */
  private static boolean holds(Pattern expression, String topic) {
    try {
      return expression.matcher(new Stepped(topic, new int[] {MOST_STEPS})).find();
    } catch (TooManySteps | StackOverflowError e) {
      return false;
    }
  }

  private static final class TooManySteps extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManySteps() {
      super("", null, false, false);
    }
  }

  /**
   * A text that may be looked at so often.
   *
   * @param left shared with its parts
   */
  private record Stepped(CharSequence text, int[] left) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (left[0]-- <= 0) {
        throw new TooManySteps();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Stepped(text.subSequence(start, end), left);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
