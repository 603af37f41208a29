package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;

/** A privacy group in the shape that clients of the field know. */
final class GroupJson {
  private GroupJson() {}

  static ObjectNode group(StoredGroup stored) {
    var request =
        stored.request().isEmpty()
            ? JsonText.object()
            : JsonText.parse(stored.request().toByteArray());
    var json = JsonText.object().put("id", stored.id().toString()).put("domain", domain(stored));
    json.put("created", stored.created().toString()).put("name", name(stored));
    var members = json.putArray("members");
    stored
        .group()
        .ifPresentOrElse(
            group -> group.committee().identities().forEach(id -> members.add(id.toString())),
            () -> request.path("members").forEach(members::add));
    json.set(
        "properties",
        request.path("properties").isMissingNode() ? JsonText.object() : request.get("properties"));
    json.set("configuration", configuration(stored, request));
    json.put("genesisTransaction", stored.genesisTransaction().map(Object::toString).orElse(null));
    return json.put(
        "contractAddress",
        stored.group().map(PrivacyGroup::contract).map(Object::toString).orElse(null));
  }

  static String domain(StoredGroup stored) {
    return stored.group().map(PrivacyGroup::domain).orElseGet(() -> requested(stored, "domain"));
  }

  static String name(StoredGroup stored) {
    return stored.group().map(PrivacyGroup::name).orElseGet(() -> requested(stored, "name"));
  }

  private static String requested(StoredGroup stored, String field) {
    return stored.request().isEmpty()
        ? ""
        : JsonText.parse(stored.request().toByteArray()).path(field).asText();
  }

  private static JsonNode configuration(StoredGroup stored, JsonNode request) {
    if (request.path("configuration").isObject()) {
      return request.get("configuration");
    }
    return stored.group().map(group -> readable(group.configuration())).orElse(JsonText.object());
  }

  /** A domain of another maker may keep what is no JSON. */
  private static JsonNode readable(Bytes configuration) {
    try {
      return configuration.isEmpty()
          ? JsonText.object()
          : JsonText.parse(configuration.toByteArray());
    } catch (RpcFailure e) {
      return TextNode.valueOf(configuration.toHex());
    }
  }
}
