package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.MessageStore.Following;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Messages between members: what callers send, and that every book goes on at any time as its
 * sender's did, and in the end to where that is; of what it may forget, the newest are there.
 * Watched as messages come to a disk.
 */
final class Messaging {
  private final Simulation simulation;
  private final Set<NodeName> liars = new HashSet<>();
  private final Map<ContractAddress, Map<NodeName, NavigableMap<Long, GroupMessage>>> written =
      new HashMap<>();

  /** Who was in the group, or was until the last change, as its sender knew when it kept it. */
  private final Map<GroupMessageId, Set<NodeName>> writtenFor = new HashMap<>();

  private int sent;
  private int forgotten;

  Messaging(Simulation simulation) {
    this.simulation = simulation;
  }

  /** What a caller does; it may be lost with the node's life. */
  void send(NodeName node, ContractAddress contract) {
    simulation.node(node).running().entities(contract).messages().write(Bytes.utf8("m" + ++sent));
  }

  /** Whoever sends what no machine has sent. */
  void onForged(NodeName from) {
    liars.add(from);
  }

  /** A caller is told that its message will arrive: so it is on the disk. */
  void onAnswered(NodeName node, ContractAddress contract, MessageBook.Outcome outcome) {
    if (outcome instanceof MessageBook.Outcome.Sent(GroupMessageId id)) {
      require(
          simulation.node(node).disk().messages(contract, node).values().stream()
              .anyMatch(message -> message.id().equals(id)),
          node + " has answered a caller before the message was kept");
    }
  }

  /** A message comes to a node's disk. */
  void onKept(NodeName node, Following place) {
    var message = place.message();
    var from = message.from();
    var here = simulation.node(node).disk().messages(message.contract(), from);
    long before = here.isEmpty() ? 0 : here.lastKey();
    var what = node + " keeps message " + message.number() + " of " + from;
    require(
        place.after() == before, what + " for the one after " + place.after() + " after " + before);
    if (from.equals(node)) {
      var other = everWritten(message).putIfAbsent(message.number(), message);
      require(other == null, node + " gives " + message.number() + " again");
      var group = simulation.node(node).running().group(message.contract()).orElseThrow();
      writtenFor.put(message.id(), group.nodes());
    } else if (!liars.contains(from)) {
      require(
          message.equals(everWritten(message).get(message.number())),
          what + ", which it never sent");
      require(writtenFor.get(message.id()).contains(node), what + ", of before it came");
      // What it sent between them is not in its records any more: it was set back.
      var between =
          simulation
              .node(from)
              .disk()
              .messages(message.contract(), from)
              .subMap(before, false, message.number(), false);
      require(between.isEmpty() || hasCome(node, message), what + " before " + between.keySet());
    }
  }

  /** Whom messages of before are not for (MSG-10). */
  private boolean hasCome(NodeName node, GroupMessage message) {
    var committees = simulation.group(message.contract()).orElseThrow().committees();
    return committees.cameWith(node) > 0;
  }

  /** Of its sender, also what that has forgotten since it was set back. */
  private NavigableMap<Long, GroupMessage> everWritten(GroupMessage message) {
    return written
        .computeIfAbsent(message.contract(), any -> new HashMap<>())
        .computeIfAbsent(message.from(), any -> new TreeMap<>());
  }

  /** Messages leave a node's disk: never its own. */
  void onForgotten(NodeName node, NodeName from) {
    require(!node.equals(from), node + " forgets its own messages");
    forgotten++;
  }

  /** How often nodes forgot messages of others. */
  int forgotten() {
    return forgotten;
  }

  /** Who lacks what that it must keep, in words; of and for whom lies there is no telling. */
  List<String> missing() {
    var missing = new ArrayList<String>();
    for (var group : simulation.groups()) {
      var honest = new ArrayList<>(group.committee().nodes());
      honest.removeAll(liars);
      for (var from : honest) {
        var original = simulation.node(from).disk().messages(group.contract(), from);
        for (var to : honest) {
          var copy = simulation.node(to).disk().messages(group.contract(), from);
          long after = beginsAfter(group, from, to);
          if (!isEnough(copy.tailMap(after, false), original.tailMap(after, false))) {
            missing.add(
                to + " has " + copy.size() + " of " + original.size() + " messages of " + from);
          }
        }
      }
    }
    return missing;
  }

  /** What a node that has come since is not sent. */
  private long beginsAfter(PrivacyGroup group, NodeName from, NodeName to) {
    var sender = simulation.node(from);
    return sender.isUp() && group.committees().cameWith(to) > 0
        ? sender.running().entities(group.contract()).messages().state().beginsAfter(to)
        : 0;
  }

  /** The end of it, and so much as is to be kept. */
  private boolean isEnough(
      NavigableMap<Long, GroupMessage> copy, NavigableMap<Long, GroupMessage> original) {
    if (copy.isEmpty()) {
      return original.isEmpty();
    }
    int kept = simulation.setup().settings().limits().messagesKept();
    // It may have what a sender that was set back knows no more.
    return copy.size() >= Math.min(kept, original.size())
        && copy.entrySet().containsAll(original.tailMap(copy.firstKey(), true).entrySet());
  }

  /** Whether it is known what a node's book comes to. */
  boolean isHonest(NodeName node) {
    return !liars.contains(node);
  }
}
