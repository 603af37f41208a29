package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** {@code domain_…}: the node's domains, and the contracts of its privacy groups. */
record DomainMethods(NodeContext context) {
  /** The contract of a privacy group. */
  private record SmartContract(StoredGroup stored) {
    private PrivacyGroup group() {
      return stored.group().orElseThrow();
    }

    private Instant created() {
      return stored.created();
    }
  }

  private static final ObjectShape<String> DOMAIN =
      ObjectShape.<String>named("Domain")
          .with("name", Formats.TEXT, name -> name)
          .with(
              "registryAddress",
              Formats.ADDRESS.orNull(),
              name -> Optional.empty(),
              "always null: a domain has no contract of its own");

  private static final ObjectShape<SmartContract> CONTRACT_CONFIG =
      ObjectShape.<SmartContract>named("ContractConfig")
          .with("contractConfig", Shape.ANY, DomainMethods::configuration, "the domain's own");

  private static final ObjectShape<SmartContract> CONTRACT =
      ObjectShape.<SmartContract>named("DomainSmartContract")
          .with("domainName", Formats.TEXT, contract -> contract.group().domain())
          .with(
              "domainAddress",
              Formats.ADDRESS.orNull(),
              contract -> Optional.empty(),
              "always null: a domain has no contract of its own")
          .with("address", Formats.ADDRESS, contract -> contract.group().contract())
          .with("config", CONTRACT_CONFIG, contract -> contract)
          .with("created", Formats.TIME, SmartContract::created);

  private static final Map<String, QueryField<SmartContract>> FIELDS =
      QueryField.table(
          List.of(
              new QueryField<>("domainAddress", FieldKind.ID, contract -> Optional.empty()),
              QueryField.of(CONTRACT, "domainName"),
              QueryField.of(CONTRACT, "address"),
              QueryField.of(CONTRACT, "created")));

  private static final Field<String> NAME = Field.of("name", Formats.TEXT, "the domain's name");
  private static final Field<ContractAddress> DOMAIN_ADDRESS =
      Field.of("address", Formats.ADDRESS, "of a domain's contract");
  private static final Field<Sent> QUERY = QueryReader.field("SmartContractQuery", FIELDS);

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "domain_listDomains",
            List.of(),
            Formats.TEXT.list(),
            "an array of names",
            "The domains of this node.",
            call -> completedFuture(context.node().domains().keySet().stream().sorted().toList())),
        RpcMethod.reading(
            "domain_getDomain",
            List.of(NAME),
            DOMAIN.orNull(),
            "the domain, or null",
            "A domain of this node.",
            call ->
                completedFuture(
                    Optional.of(call.get(NAME)).filter(context.node().domains()::containsKey))),
        RpcMethod.reading(
            "domain_getDomainByAddress",
            List.of(DOMAIN_ADDRESS),
            DOMAIN.orNull(),
            "null",
            "Always null: domains here have no contract of their own, so no address is one's.",
            call -> completedFuture(Optional.empty())),
        RpcMethod.reading(
            "domain_querySmartContracts",
            List.of(QUERY),
            CONTRACT.list(),
            "an array of contracts",
            "The contracts of those of this node's privacy groups that the caller may see, newest"
                + " first unless sorted otherwise.",
            this::contracts),
        RpcMethod.reading(
            "domain_getSmartContractByAddress",
            List.of(GroupMethods.ADDRESS),
            CONTRACT.orNull(),
            "the contract, or null",
            "The contract of a privacy group of this node.",
            call ->
                context
                    .groupAt(call.get(GroupMethods.ADDRESS))
                    .thenApply(stored -> stored.map(SmartContract::new))));
  }

  private CompletionStage<List<SmartContract>> contracts(Call call) {
    var query = context.query(call.get(QUERY), FIELDS);
    return context.scan(
        call,
        context.groups().as(SmartContract::new),
        query,
        contract ->
            contract.stored().group().isPresent() && NodeContext.isShown(call, contract.stored()),
        query.sort().isEmpty(),
        contract -> 0);
  }

  private static JsonNode configuration(SmartContract contract) {
    var configuration = contract.group().configuration();
    return configuration.isEmpty() ? JsonText.object() : TransactionShapes.content(configuration);
  }
}
