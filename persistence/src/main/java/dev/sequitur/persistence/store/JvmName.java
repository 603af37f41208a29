package dev.sequitur.persistence.store;

import akka.actor.ClassicActorSystemProvider;
import akka.cluster.Cluster;
import akka.cluster.UniqueAddress;

/**
 * What a JVM of a node is called in the database that it shares with the others. A process that is
 * started again at the same place is another JVM.
 *
 * @param address where its remoting is reached
 * @param start which start of a process there it is
 */
public record JvmName(String address, long start) {
  private static final char BETWEEN = '#';

  public JvmName {
    if (address.isBlank() || address.indexOf(BETWEEN) >= 0) {
      throw new IllegalArgumentException("No address of a JVM: '" + address + "'.");
    }
  }

  /** As the cluster names its members. */
  public static JvmName of(UniqueAddress member) {
    return new JvmName(member.address().toString(), member.longUid());
  }

  /** Of the JVM that the system runs in; known before it has joined anybody. */
  public static JvmName self(ClassicActorSystemProvider system) {
    return of(Cluster.get(system).selfUniqueAddress());
  }

  /** What the names of all that were ever started at its place begin with. */
  public String place() {
    return address + BETWEEN;
  }

  /** As it stands in the database. */
  @Override
  public String toString() {
    return place() + start;
  }
}
