package dev.sequitur.multijvm;

import akka.actor.ActorSystem;
import akka.actor.Address;
import akka.remote.testconductor.RoleName;
import akka.remote.testkit.Direction;
import akka.remote.testkit.MultiNodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.DurationConverters;

/**
 * A JVM of a node as the multi-node test kit sees it; hides Scala. The first one, number 0,
 * conducts: it is never the one that is cut off.
 */
final class NodeMember extends MultiNodeSpec {
  static final int JVMS = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A process learns its number by the test kit's own property. */
  static final String NUMBER = "multinode.index";

  private static final List<RoleName> ROLES =
      IntStream.range(0, JVMS).mapToObj(number -> new RoleName("jvm" + number)).toList();

  NodeMember(ActorSystem system) {
    super(ROLES.get(number()), system, scala(ROLES), role -> scala(List.of()));
  }

  static int number() {
    return Integer.getInteger(NUMBER);
  }

  /** Called while this is being made: there are no fields yet. */
  @Override
  public int initialParticipants() {
    return JVMS;
  }

  /** Waits until all have come here. */
  void barrier(String name) {
    enterBarrier(scala(List.of(name)));
  }

  /** Of the remoting of a JVM of the node. */
  Address address(int number) {
    return node(ROLES.get(number)).address();
  }

  /** Only the conductor may: nothing passes between the others and this one any more. */
  void cutOff(int number) {
    for (int other = 0; other < JVMS; other++) {
      if (other != number) {
        await(
            testConductor()
                .blackhole(ROLES.get(other), ROLES.get(number), Direction.Both$.MODULE$));
      }
    }
  }

  private static void await(Future<?> future) {
    try {
      Await.result(future, DurationConverters.toScala(PATIENCE));
    } catch (Exception e) {
      throw new AssertionError("The conductor does not do it", e);
    }
  }

  private static <T> Seq<T> scala(List<T> list) {
    return CollectionConverters.asScala(list).toSeq();
  }
}
