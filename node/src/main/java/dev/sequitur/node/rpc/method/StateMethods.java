package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.distribution.StateStoreState.Standing;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** {@code pstate_…}: the kinds of states of a domain, and the states that this node holds. */
record StateMethods(NodeContext context) {
  private static final int PAGE = StoredRows.PAGE;

  /** Which states are wanted. */
  private enum Status {
    AVAILABLE,
    CONFIRMED,
    HELD,
    UNCONFIRMED,
    SPENT,
    ALL;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private boolean wants(Row row) {
      return switch (this) {
        case AVAILABLE, CONFIRMED, HELD -> row.confirmed();
        case UNCONFIRMED -> row.unconfirmed();
        case SPENT -> !row.confirmed() && !row.unconfirmed();
        case ALL -> true;
      };
    }

    /** Contents of what is spent may be forgotten, and of nothing else. */
    private boolean wantsSpent() {
      return this == SPENT || this == ALL;
    }

    /** Whether it is wrong to leave out what the node lacks (DST-5). */
    private boolean wantsAll() {
      return switch (this) {
        case AVAILABLE, CONFIRMED, ALL -> true;
        case HELD, UNCONFIRMED, SPENT -> false;
      };
    }
  }

  /** A kind of states of a domain. */
  private record Schema(String domain, Domain.StateSchema described) {
    private Hash id() {
      return Domain.StateSchema.id(domain, described.name());
    }

    private List<String> labels() {
      return described.labels().stream().map(Domain.Label::name).toList();
    }

    private String signature() {
      return labels().stream().collect(Collectors.joining(",", described.name() + "(", ")"));
    }

    private Map<String, QueryField<Row>> fields() {
      var fields = new LinkedHashMap<>(FIELDS);
      for (var label : described.labels()) {
        fields.put(
            label.name(),
            new QueryField<>(
                label.name(),
                label.number() ? FieldKind.AMOUNT : FieldKind.TEXT,
                row -> label.number() ? row.number(label.name()) : row.text(label.name())));
      }
      return fields;
    }
  }

  /** A state that this node holds. */
  private record Row(String domain, PrivateState state, JsonNode data, Standing standing) {
    private boolean confirmed() {
      return standing.confirmed().contains(state.id());
    }

    private boolean unconfirmed() {
      return standing.unconfirmed().contains(state.id());
    }

    private Optional<String> text(String field) {
      return Optional.ofNullable(data.path(field).textValue());
    }

    private Optional<BigInteger> number(String field) {
      var value = data.path(field);
      if (value.isIntegralNumber()) {
        return Optional.of(value.bigIntegerValue());
      }
      try {
        return text(field).map(FieldKind::amountOf);
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }

  private static final ObjectShape<Schema> SCHEMA =
      ObjectShape.<Schema>named("StateSchema")
          .with("id", Formats.HASH, Schema::id)
          .with("domain", Formats.TEXT, Schema::domain)
          .constant("type", "json")
          .with("signature", Formats.TEXT, Schema::signature, "its name and its labels")
          .with("definition", Shape.ANY, schema -> definition(schema.described()))
          .with("labels", Formats.TEXT.list(), Schema::labels, "by which states are found");

  private static final ObjectShape<Row> STATE =
      ObjectShape.<Row>named("HeldState")
          .with("id", Formats.HASH, row -> row.state().id().value())
          .with("domain", Formats.TEXT, Row::domain)
          .with(
              "schema",
              Formats.HASH,
              row -> Domain.StateSchema.id(row.domain(), row.state().schema()))
          .with("contractAddress", Formats.ADDRESS, row -> row.state().contract())
          .with("data", Shape.ANY, Row::data, "as the domain keeps it");

  private static final Map<String, QueryField<Row>> FIELDS =
      QueryField.table(STATE, "id", "contractAddress");

  private static final String LABELS = "the labels of the schema";
  private static final Field<String> DOMAIN = Field.of("domain", Formats.TEXT, "its name");
  private static final Field<String> SCHEMA_ID =
      Field.of("schema", Formats.NAME, "its id, or its name");
  private static final Field<Sent> QUERY =
      QueryReader.field("StateQuery", List.of("id", "contractAddress"), LABELS);
  private static final Field<String> STATUS =
      Field.or(
          "status",
          Formats.NAME,
          Status.AVAILABLE.word(),
          "`available` or `confirmed`, both of which are on the base ledger and not spent; `held`,"
              + " the same, though contents of others are lacking; `unconfirmed`, `spent`, `all`");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "pstate_listSchemas",
            List.of(DOMAIN),
            SCHEMA.list(),
            "an array of schemas",
            "The kinds of states of a domain.",
            call -> completedFuture(schemas(call.get(DOMAIN)))),
        RpcMethod.reading(
            "pstate_getSchemaById",
            List.of(DOMAIN, SCHEMA_ID),
            SCHEMA.orNull(),
            "the schema, or null",
            "A kind of states of a domain.",
            call -> completedFuture(find(call))),
        RpcMethod.reading(
            "pstate_queryStates",
            List.of(DOMAIN, SCHEMA_ID, QUERY, STATUS),
            STATE.list(),
            "an array of states",
            "The states of all groups of a domain that the caller may see whose contents this node"
                + " holds, group by group and by id unless sorted otherwise. A spent one that was"
                + " never confirmed is counted as spent.",
            call -> states(call, new OfDomain(call))),
        RpcMethod.reading(
            "pstate_queryContractStates",
            List.of(DOMAIN, GroupMethods.ADDRESS, SCHEMA_ID, QUERY, STATUS),
            STATE.list(),
            "an array of states",
            "The same of one group.",
            call ->
                states(
                    call,
                    RowSource.once(
                        context
                            .node()
                            .group(call.get(GroupMethods.ADDRESS))
                            .filter(group -> group.domain().equals(call.get(DOMAIN)))
                            .map(PrivacyGroup::contract)
                            .stream()
                            .toList()))));
  }

  /** The groups of a domain that a caller may see, as many as a query may look at. */
  private final class OfDomain implements RowSource<ContractAddress> {
    private final Call call;
    private final RowSource<StoredGroup> groups = context.groups();
    private int looked;

    private OfDomain(Call call) {
      this.call = call;
    }

    @Override
    public CompletionStage<List<ContractAddress>> next() {
      return groups.next().thenCompose(page -> page.isEmpty() ? over() : of(page));
    }

    private CompletionStage<List<ContractAddress>> of(List<StoredGroup> page) {
      looked += page.size();
      if (looked > context.settings().limits().queryScan()) {
        throw Scan.tooBroad(context.settings().limits().queryScan());
      }
      var contracts =
          page.stream()
              .flatMap(stored -> stored.group().stream())
              .filter(group -> group.domain().equals(call.get(DOMAIN)))
              .map(PrivacyGroup::contract)
              .filter(call::sees)
              .toList();
      return contracts.isEmpty() ? next() : completedFuture(contracts);
    }

    private static CompletionStage<List<ContractAddress>> over() {
      return completedFuture(List.of());
    }
  }

  private List<Schema> schemas(String domain) {
    var known = context.node().domains().get(domain);
    if (known == null) {
      throw new RpcFailure(
          ErrorCode.UNKNOWN_DOMAIN,
          "This node has no such domain. domain_listDomains lists those that it has.");
    }
    return known.schemas().stream().map(schema -> new Schema(domain, schema)).toList();
  }

  private Optional<Schema> find(Call call) {
    var wanted = call.get(SCHEMA_ID);
    return schemas(call.get(DOMAIN)).stream()
        .filter(
            schema ->
                schema.described().name().equals(wanted)
                    || schema.id().toString().equalsIgnoreCase(wanted))
        .findFirst();
  }

  private CompletionStage<List<Row>> states(Call call, RowSource<ContractAddress> contracts) {
    var schema =
        find(call)
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.WRONG_QUERY,
                        "The domain has no such schema. pstate_listSchemas lists those that it has."));
    var status = status(call);
    var query = context.query(call.get(QUERY), schema.fields());
    return context
        .scan(
            call,
            new Held(schema.domain(), contracts, status.wantsAll()),
            query,
            row -> row.state().schema().equals(schema.described().name()) && status.wants(row),
            query.sort().isEmpty(),
            row -> RowBytes.of(row.state()))
        .thenCompose(
            found ->
                status.wantsSpent()
                    ? new ForgottenRows(context.store())
                        .orTell(call, found, query.limit(), bound -> true)
                    : completedFuture(found));
  }

  private static Status status(Call call) {
    return Arrays.stream(Status.values())
        .filter(status -> status.word().equalsIgnoreCase(call.get(STATUS)))
        .findFirst()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.UNSUPPORTED,
                    call.path(STATUS)
                        + " must be available, confirmed, held, unconfirmed, spent or all."));
  }

  /** The states of contracts, page by page. */
  private final class Held implements RowSource<Row> {
    private final String domain;
    private final RowSource<ContractAddress> more;
    private final Queue<ContractAddress> contracts = new ArrayDeque<>();
    private final boolean wantsAll;
    private Optional<StateId> after = Optional.empty();

    /**
     * @param wantsAll fails where contents are lacking
     */
    private Held(String domain, RowSource<ContractAddress> contracts, boolean wantsAll) {
      this.domain = domain;
      this.wantsAll = wantsAll;
      this.more = contracts;
    }

    @Override
    public CompletionStage<List<Row>> next() {
      var contract = contracts.peek();
      if (contract == null) {
        return more.next()
            .thenCompose(
                page -> {
                  contracts.addAll(page);
                  return page.isEmpty() ? completedFuture(List.of()) : next();
                });
      }
      return notStopped(contract)
          .thenCompose(
              goesOn ->
                  wantsAll && after.isEmpty()
                      ? nothingLacks(contract)
                      : completedFuture((Void) null))
          .thenCompose(nothing -> context.store().statesAfter(contract, after, PAGE))
          .thenCompose(
              page -> {
                if (page.isEmpty()) {
                  contracts.remove();
                  after = Optional.empty();
                  return next();
                }
                after = Optional.of(page.getLast().id());
                var ids = page.stream().map(PrivateState::id).toList();
                return context
                    .node()
                    .standing(contract, ids)
                    .thenApply(standing -> rows(page, standing));
              });
    }

    /** Before each page: it may be found while they are read. */
    private CompletionStage<Void> notStopped(ContractAddress contract) {
      return context
          .node()
          .stopped(contract)
          .thenAccept(
              why -> {
                if (why.isPresent()) {
                  throw new RpcFailure(ErrorCode.GROUP_DIFFERS, why.get());
                }
              });
    }

    private CompletionStage<Void> nothingLacks(ContractAddress contract) {
      return context
          .node()
          .lacking(contract)
          .thenAccept(
              lacking -> {
                if (lacking.isPresent()) {
                  throw new RpcFailure(
                      ErrorCode.CONTENTS_LACKING,
                      lacking.get().sentence() + " Ask for status held for what it has.");
                }
              });
    }

    private List<Row> rows(List<PrivateState> page, Standing standing) {
      var rows = new ArrayList<Row>(page.size());
      for (var state : page) {
        rows.add(new Row(domain, state, TransactionShapes.content(state.data()), standing));
      }
      return rows;
    }
  }

  private static JsonNode definition(Domain.StateSchema schema) {
    var definition = JsonText.object().put("name", schema.name());
    var labels = definition.putObject("labels");
    schema.labels().forEach(label -> labels.put(label.name(), label.number() ? "number" : "text"));
    return definition;
  }
}
