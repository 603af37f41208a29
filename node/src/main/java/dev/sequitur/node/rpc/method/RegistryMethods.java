package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code reg_…}: a registry as other nodes of the field read it from a chain. Here it is a view of
 * what the configuration names: this node and its peers.
 */
record RegistryMethods(NodeContext context) {
  private static final String REGISTRY = "peers";
  private static final String TRANSPORTED = "transport." + TransportMethods.TRANSPORT;

  /**
   * A node of the registry.
   *
   * @param withFlag whether the caller asked for those too that are not active
   */
  private record Entry(NodeName node, boolean withFlag) {
    private Hash id() {
      return Digests.keccak256(Bytes.utf8(node.value()));
    }

    private Optional<Boolean> active() {
      return withFlag ? Optional.of(true) : Optional.empty();
    }

    private Map<String, String> properties() {
      return Map.of(TRANSPORTED, node.value());
    }
  }

  /** The one thing that is said of a node. */
  private record Property(Entry entry, String value) {}

  private static final ObjectShape<Entry> ENTRY =
      ObjectShape.<Entry>named("RegistryEntry")
          .constant("registry", REGISTRY)
          .with("id", Formats.HASH, Entry::id, "the Keccak-256 hash of its name")
          .with("name", Formats.NODE, Entry::node)
          .maybe("active", Formats.BOOLEAN, Entry::active, "if not only the active are asked for");

  private static final ObjectShape<Entry> WITH_PROPERTIES =
      ObjectShape.<Entry>named("RegistryEntryWithProperties")
          .all(ENTRY, entry -> entry)
          .with("properties", Formats.TEXT.byName(), Entry::properties);

  private static final ObjectShape<Property> PROPERTY =
      ObjectShape.<Property>named("RegistryProperty")
          .constant("registry", REGISTRY)
          .with("entryId", Formats.HASH, property -> property.entry().id())
          .constant("name", TRANSPORTED)
          .with("value", Formats.TEXT, Property::value, "by what name nodes reach it")
          .maybe("active", Formats.BOOLEAN, property -> property.entry().active());

  private static final Map<String, QueryField<Entry>> FIELDS =
      QueryField.table(
          List.of(
              QueryField.of(ENTRY, "id"),
              QueryField.of(ENTRY, "name"),
              new QueryField<>("parentId", FieldKind.ID, entry -> Optional.empty()),
              QueryField.of(TRANSPORTED, FieldKind.TEXT, entry -> entry.node().value())));

  private static final Field<String> NAME =
      Field.of("registryName", Formats.TEXT, "`" + REGISTRY + "`");
  private static final Field<Sent> QUERY = QueryReader.field("RegistryQuery", FIELDS);
  private static final Field<Hash> ID = Field.of("entryId", Formats.HASH, "the entry's id");
  private static final String ACTIVE_ONES = "active";
  private static final String INACTIVE_ONES = "inactive";
  private static final String ANY = "any";
  private static final Field<String> ACTIVE =
      Field.or(
          "activeFilter",
          Format.among(List.of(ACTIVE_ONES, INACTIVE_ONES, ANY)),
          ACTIVE_ONES,
          "all are active");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "reg_registries",
            List.of(),
            Formats.TEXT.list(),
            "an array of names",
            "The one registry: what this node's configuration says of itself and its peers.",
            call -> completedFuture(List.of(REGISTRY))),
        RpcMethod.reading(
            "reg_queryEntries",
            List.of(NAME, QUERY, ACTIVE),
            ENTRY.list(),
            "an array of entries",
            "This node and its peers, by name unless sorted otherwise.",
            call -> context.rows(call, call.get(QUERY), FIELDS, entries(call))),
        RpcMethod.reading(
            "reg_queryEntriesWithProps",
            List.of(NAME, QUERY, ACTIVE),
            WITH_PROPERTIES.list(),
            "an array of entries",
            "The same with their properties.",
            call -> context.rows(call, call.get(QUERY), FIELDS, entries(call))),
        RpcMethod.reading(
            "reg_getEntryProperties",
            List.of(NAME, ID, ACTIVE),
            PROPERTY.list(),
            "an array of properties",
            "The properties of an entry; none if there is no such entry.",
            call ->
                completedFuture(
                    entries(call).stream()
                        .filter(entry -> entry.id().equals(call.get(ID)))
                        .map(entry -> new Property(entry, entry.node().value()))
                        .toList())));
  }

  private List<Entry> entries(Call call) {
    if (!call.get(NAME).equals(REGISTRY)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED, "There is no such registry here. Ask for %s.".formatted(REGISTRY));
    }
    var node = context.node();
    var all = Stream.concat(Stream.of(node.name()), node.peers().stream()).sorted();
    return switch (call.get(ACTIVE)) {
      case ACTIVE_ONES -> all.map(name -> new Entry(name, false)).toList();
      case ANY -> all.map(name -> new Entry(name, true)).toList();
      case INACTIVE_ONES -> List.of();
      default -> throw new IllegalStateException("No such filter is read: " + call.get(ACTIVE));
    };
  }
}
