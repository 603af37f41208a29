package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.ArrayList;
import java.util.List;

/** A privacy group in the shape that clients of the field know. */
public record GroupShape(StoredGroup stored, JsonNode request) {
  static final Shape<StoredGroup> GROUP =
      ObjectShape.<GroupShape>named("Group")
          .with("id", Formats.HASH, group -> group.stored().id().value())
          .with("domain", Formats.TEXT, group -> domain(group.stored()))
          .with("created", Formats.TIME, group -> group.stored().created())
          .with("name", Formats.TEXT, group -> name(group.stored()))
          .with("members", Formats.IDENTITY.list(), group -> members(group.stored()))
          .with(
              "properties",
              Shape.ANY,
              group -> texts(group.of("properties")),
              "its maker's own, by name; what was sent as something else than text is the text of its"
                  + " JSON")
          .with(
              "configuration",
              Shape.ANY,
              group -> texts(group.configuration()),
              "the domain's, in the same way")
          .with(
              "genesisTransaction",
              Formats.TRANSACTION_ID.orNull(),
              group -> group.stored().genesisTransaction(),
              "on the node that has made it, which has its receipt; null elsewhere")
          .with(
              "contractAddress",
              Formats.ADDRESS.orNull(),
              group -> group.stored().group().map(PrivacyGroup::contract),
              "null until the contract is confirmed")
          .maybe(
              "notMade",
              Formats.TEXT,
              group -> group.stored().notMade(),
              "why its contract is never made; on the node that has tried")
          .with(
              "endorsementPolicy",
              EndorsementProofs.POLICY.orNull(),
              group -> group.stored().group().map(PrivacyGroup::endorsementPolicy),
              "who must sign a transaction; null until the contract is confirmed")
          .of(stored -> new GroupShape(stored, request(stored)));

  private static JsonNode request(StoredGroup stored) {
    return stored.request().isEmpty()
        ? JsonText.object()
        : JsonText.parse(stored.request().toByteArray());
  }

  static String domain(StoredGroup stored) {
    return stored
        .group()
        .map(PrivacyGroup::domain)
        .orElseGet(() -> request(stored).path("domain").asText());
  }

  static String name(StoredGroup stored) {
    return stored
        .group()
        .map(PrivacyGroup::name)
        .orElseGet(() -> request(stored).path("name").asText());
  }

  /** Whom it has, or is to have. */
  public static List<String> members(StoredGroup stored) {
    return stored
        .group()
        .map(group -> group.committee().identities().stream().map(Identity::toString).toList())
        .orElseGet(
            () -> {
              var named = new ArrayList<String>();
              request(stored).path("members").forEach(member -> named.add(member.asText()));
              return named;
            });
  }

  private JsonNode of(String field) {
    return request.path(field).isMissingNode() ? JsonText.object() : request.get(field);
  }

  /** Clients of the field read texts by name, and can't read an answer that has something else. */
  private static JsonNode texts(JsonNode values) {
    var texts = JsonText.object();
    values
        .fields()
        .forEachRemaining(
            field -> {
              var value = field.getValue();
              texts.put(field.getKey(), value.isTextual() ? value.textValue() : value.toString());
            });
    return texts;
  }

  private JsonNode configuration() {
    return request.path("configuration").isObject()
        ? request.get("configuration")
        : stored
            .group()
            .filter(group -> !group.configuration().isEmpty())
            .map(group -> TransactionShapes.content(group.configuration()))
            .orElse(JsonText.object());
  }
}
