package dev.sequitur.node.rpc.method;

import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.json.Field;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.node.rpc.Diagnosable;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.query.AnswersTogether;
import dev.sequitur.node.rpc.query.KeptBytes;
import dev.sequitur.node.rpc.query.Query;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.sequencer.SequencerNode;
import java.lang.ref.Reference;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What all methods work with.
 *
 * @param clock when intents and listeners were created
 * @param ids of new transactions
 * @param listeners of the node
 * @param deletions told when a listener is deleted
 * @param rehearsal of faults, if the node lets them be set
 * @param chainId of the base ledger
 * @param diagnosable what the process can tell of itself
 * @param draining how the JVM leaves its node
 * @param webhooks sends an event that somebody wants sent again
 * @param secrets of which the keys of webhooks are made
 * @param backups of the node, which this JVM makes
 */
public record NodeContext(
    SequencerNode node,
    SchedulerNode scheduler,
    RpcSettings settings,
    InstantSource clock,
    Supplier<UUID> ids,
    ListenerStore listeners,
    ListenerDeletions deletions,
    Optional<Rehearsal> rehearsal,
    long chainId,
    Diagnosable diagnosable,
    Draining draining,
    WebhookSender webhooks,
    WebhookSecrets secrets,
    Backups backups) {

  private static final int GROUPS_PAGE = 200;

  /**
   * A message, signed for a caller with an identity's newest key.
   *
   * @return fails with what the caller is told
   */
  public CompletionStage<Bytes> signed(Identity identity, Bytes message) {
    var keys = node().keys();
    try {
      return keys.signed(identity.name(), keys.verifier(identity.name()), message)
          .exceptionallyCompose(
              away ->
                  CompletableFuture.failedFuture(
                      new RpcFailure(ErrorCode.NODE_KEY_AWAY, Answers.cause(away).getMessage())));
    } catch (Keys.RevokedKeyException e) {
      throw new RpcFailure(
          ErrorCode.NODE_KEY_REVOKED, IntentRules.keyRevoked(identity).getMessage());
    }
  }

  /** The node's own. */
  public NodeStore store() {
    return node.store();
  }

  /** Page by page from the store, the newest first; {@link #isShown} says which are meant. */
  RowSource<StoredGroup> groups() {
    return RowSource.pages(
        Optional.<StoredGroup>empty(),
        before -> store().groups(before, GROUPS_PAGE),
        page -> Optional.of(page.getLast()));
  }

  /**
   * Whether the caller of a call may see the group. Nobody sees one that this node only waits for:
   * its contract may never be made.
   */
  static boolean isShown(Call call, StoredGroup group) {
    return !group.isUnconfirmedOfAnother() && call.sees(group);
  }

  /** One that is not only waited for. */
  CompletionStage<Optional<StoredGroup>> group(String domain, Hash id) {
    return store()
        .group(new GroupId(id))
        .thenApply(
            stored ->
                stored
                    .filter(group -> !group.isUnconfirmedOfAnother())
                    .filter(group -> GroupShape.domain(group).equals(domain)));
  }

  /**
   * What is made with groups in memory.
   *
   * @param contracts of the groups, whether this node knows them or not
   * @param made finds them by {@link SequencerNode#group}
   */
  <T> CompletionStage<T> with(Stream<ContractAddress> contracts, Supplier<T> made) {
    return Answers.all(contracts.distinct().map(node::load).toList())
        .thenApply(
            groups -> {
              var answer = made.get();
              Reference.reachabilityFence(groups);
              return answer;
            });
  }

  /** One whose contract is confirmed. */
  CompletionStage<Optional<StoredGroup>> groupAt(ContractAddress contract) {
    return store().groupAt(contract);
  }

  /**
   * What is asked for, within the limits of the endpoint.
   *
   * @param query of a parameter that {@link QueryReader#field} has made
   */
  <R> Query<R> query(Sent query, Map<String, QueryField<R>> table, Field<?>... beside) {
    return QueryReader.read(query, table, settings.limits().queryResults(), beside);
  }

  /**
   * The rows of a source that a query wants, within the limits of the endpoint.
   *
   * @param call whose answer they are kept for
   * @param inOrder whether the source's order is the one that the query wants
   * @param bytesOf about as many as a row has in the answer
   */
  <R> CompletionStage<List<R>> scan(
      Call call, RowSource<R> source, Query<R> query, boolean inOrder, ToLongFunction<R> bytesOf) {
    return scan(call, source, query, row -> true, inOrder, bytesOf);
  }

  /**
   * The same of some rows of the source.
   *
   * @param meant those rows, of which nobody can ask for others
   */
  <R> CompletionStage<List<R>> scan(
      Call call,
      RowSource<R> source,
      Query<R> query,
      Predicate<R> meant,
      boolean inOrder,
      ToLongFunction<R> bytesOf) {
    return Scan.run(
        source,
        query,
        meant,
        inOrder,
        new Scan.Bounds<>(settings.limits().queryScan(), call.kept(), bytesOf));
  }

  /** The first row that is meant, alone; empty if there is none. */
  <R> CompletionStage<List<R>> first(RowSource<R> source, Predicate<R> meant) {
    var alone = new AnswersTogether(Long.MAX_VALUE);
    var one = new KeptBytes(settings.limits().answerBytes(), alone).share();
    return Scan.run(
        source,
        Query.<R>any(1),
        meant,
        true,
        new Scan.Bounds<>(settings.limits().queryScan(), one, row -> 0));
  }

  /**
   * The same of all that there are.
   *
   * @param all in the order that they have unless the query sorts
   */
  <R> CompletionStage<List<R>> rows(
      Call call, Sent query, Map<String, QueryField<R>> table, List<R> all) {
    return rows(call, query, table, all, row -> 0);
  }

  /** The same of rows that may be long. */
  <R> CompletionStage<List<R>> rows(
      Call call,
      Sent query,
      Map<String, QueryField<R>> table,
      List<R> all,
      ToLongFunction<R> bytesOf) {
    var read = query(query, table);
    return scan(call, RowSource.once(all), read, read.sort().isEmpty(), bytesOf);
  }

  /**
   * @throws RpcFailure if the node has none of that name
   */
  Domain domain(String name) {
    var domain = node.domains().get(name);
    if (domain == null) {
      throw new RpcFailure(
          ErrorCode.UNKNOWN_DOMAIN,
          "This node has no such domain. Use one of %s."
              .formatted(String.join(", ", node.domains().keySet().stream().sorted().toList())));
    }
    return domain;
  }

  /** Ends what is subscribed to a listener. */
  @FunctionalInterface
  public interface ListenerDeletions {
    void deleted(ListenerKind kind, String name);
  }
}
