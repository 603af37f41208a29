package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpRequest;
import dev.sequitur.json.Field.Mention;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.Quotas;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.ContractAddress;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A port beside JSON-RPC's at which callers are let in, are granted what they may, have quotas and
 * are written down by the same rules. Thread-safe.
 */
public final class OtherDoor {
  private final Guard.Door door;
  private final Permission permission;
  private final Strangers strangers;
  private final Audited audited;
  private final Quotas quotas;

  OtherDoor(
      Guard.Door door, Permission permission, Strangers strangers, Audited audited, Quotas quotas) {
    this.door = door;
    this.permission = permission;
    this.strangers = strangers;
    this.audited = audited;
    this.quotas = quotas;
  }

  /**
   * Who sends a request: by its header {@code Authorization}, or by the certificate of its
   * connection.
   *
   * @throws RpcFailure if it does not show that, or what it shows does not hold
   */
  public Principal who(HttpRequest request) {
    return Visit.of(door, request).principal();
  }

  /**
   * Somebody was not let in: that is told in the log and written down.
   *
   * @return completes when it may be told so: who has failed often waits
   */
  public CompletionStage<Void> failed(HttpRequest request, RpcFailure failure) {
    return strangers.failed(request, address(request), failure);
  }

  /** Where a request comes from, where the server is set up to know. */
  public static InetAddress address(HttpRequest request) {
    return request
        .getAttribute(AttributeKeys.remoteAddress)
        .flatMap(remote -> remote.getAddress())
        .orElseGet(InetAddress::getLoopbackAddress);
  }

  /** What must be there before it is asked what a caller may do; empty if all is. */
  public Optional<CompletionStage<Void>> ready(Principal caller) {
    return permission.ready(caller);
  }

  /** Why a caller may not do this with all these, in a sentence; empty if it may. */
  public Optional<RpcFailure> refusal(Principal caller, MethodGroup group, List<Named> about) {
    return permission
        .missing(caller, group, about)
        .map(missing -> new RpcFailure(ErrorCode.NOT_GRANTED, missing.sentence()));
  }

  /** Whether a caller may see what is a privacy group's; what is of none is there for all. */
  public boolean sees(Principal caller, Optional<ContractAddress> group) {
    var about = group.map(it -> new Named(Named.Kind.GROUPS, it.value())).stream().toList();
    return about.isEmpty()
        || refusal(caller, MethodGroup.READ, about).isEmpty()
        || refusal(caller, MethodGroup.SUBMIT, about).isEmpty();
  }

  /**
   * A request begins to be answered; {@link #ends} must follow.
   *
   * @return false if its caller has asked too often, or has too many that are not answered yet
   */
  public boolean begins(Principal caller) {
    try {
      quotas.take(caller, 1);
      quotas.begins(caller);
      return true;
    } catch (Quotas.Exceeded e) {
      return false;
    }
  }

  /** One that has begun is answered. */
  public void ends(Principal caller) {
    quotas.ends(caller);
  }

  /** What is written down of something that changes the node. */
  public interface Entry {
    /**
     * What has become of it.
     *
     * @param outcome {@code ok}, or a code
     * @param ids that it came to, or is about
     * @return completes when it is written; only then may its caller be told
     */
    CompletionStage<Void> ended(String outcome, List<String> ids);
  }

  /**
   * Begins the entry of something that changes the node.
   *
   * @param what it is, as a method is named
   * @param queue in which it is done
   * @return empty if nothing is written down
   * @throws RpcFailure if it had to be written down and cannot be: then it must not be done
   */
  public Optional<Entry> begin(String what, Principal caller, String queue) {
    return audited
        .begin(what, caller)
        .<Entry>map(
            entry -> {
              entry.names(Mention.QUEUE, queue);
              return (outcome, ids) -> {
                var result = JsonText.object();
                ids.forEach(result.putArray("ids")::add);
                return entry.ended(outcome, Optional.of(result));
              };
            });
  }
}
