package dev.sequitur.cluster.downing;

import akka.actor.AbstractExtensionId;
import akka.actor.Address;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionId;
import akka.actor.ExtensionIdProvider;
import akka.cluster.Cluster;
import akka.cluster.MemberStatus;
import akka.cluster.UniqueAddress;
import dev.sequitur.cluster.downing.LifeMarks.Marked;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.persistence.store.WritingJvms;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContextExecutor;

/**
 * Looks once a second whether other JVMs of this node's cluster have died, and leaves those out.
 * Akka's failure detector has to wait for seconds, since it cannot tell a JVM that has died from
 * one that stands still or is cut off; a process that has died leaves signs that no other has.
 *
 * <p>A JVM is taken for dead if its session with the node's database has closed ({@link LifeMarks})
 * <em>and</em> either nothing listens at its address any more, or another process has begun in its
 * place. A restart of the database closes all sessions, and a firewall may refuse connections, so
 * neither counts by itself. Should both go wrong at once, a JVM that lives is left out, and is
 * ended by what keeps it from writing, as any that was left out.
 *
 * <p>All else (a machine that is gone, a network that is cut, a process that stands still) is left
 * to the failure detector and the split-brain resolver.
 */
public final class DeadJvms implements Extension {
  private static final Logger LOG = LoggerFactory.getLogger(DeadJvms.class);
  private static final String DISPATCHER = "sequitur.persistence.postgresql.dispatcher";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /** While this JVM, or one that died and is back, waits for what is seen. */
  private static final Duration SOON = Duration.ofMillis(200);

  /**
   * Longer than all that the others take for a JVM that died and one that is coming to take its
   * place, or for one that cannot be told from one that stands still.
   */
  static final Duration LONGEST_RECKONED = Duration.ofSeconds(30);

  private static final int CONNECT_MILLIS = 500;

  /** What was seen is acted upon within this time, or looked at again. */
  private static final Duration MOST_OLD = Duration.ofSeconds(3);

  private static final Set<MemberStatus> AT_WORK =
      Set.of(
          MemberStatus.joining(),
          MemberStatus.weaklyUp(),
          MemberStatus.up(),
          MemberStatus.leaving());

  private final ExtendedActorSystem system;
  private final Cluster cluster;
  private final ExecutionContextExecutor executor;
  private final PostgresDatabase database;
  private final JvmName self;
  private final LifeMarks marks;
  private final Reckoned reckoned;
  private final CompletableFuture<Void> unreckoned = new CompletableFuture<>();
  private final long begun = System.nanoTime();

  private DeadJvms(ExtendedActorSystem system) {
    this.system = system;
    this.cluster = Cluster.get(system);
    this.executor = system.dispatchers().lookup(DISPATCHER);
    this.database = PostgresExtension.get(system).database();
    this.self = JvmName.self(system);
    var schema = PostgresSettings.from(system.settings().config()).schema();
    this.marks = new LifeMarks(database, schema, self);
    this.reckoned = new Reckoned(() -> Reckoned.regions(system));
    // Before this JVM is a member: one without a mark is half-way to be taken for dead.
    seen(database.atStart(any -> marks.look(Set.of())));
    // Called before what was registered earlier: the pool is still open.
    system.registerOnTermination(marks::close);
    lookLater(BETWEEN_LOOKS);
  }

  /** That of the JVM that the system runs in, if it is one of several of its node. */
  public static DeadJvms get(ClassicActorSystemProvider system) {
    return Id.INSTANCE.get(system);
  }

  /**
   * Completes when no other JVM of this node reckons with one at the place of this one any more:
   * that which was there before has been left out, and what it had has begun elsewhere. At the
   * latest after half a minute; a session may stay open whose machine has gone without a word. To
   * be waited for before this JVM joins the others.
   */
  public CompletionStage<Void> unreckoned() {
    return unreckoned;
  }

  /**
   * Whether any process of this node has its session with the database open under that name. Waits
   * for the database.
   *
   * @param jvm as {@link JvmName} writes it
   * @throws DatabaseException if the database does not answer
   */
  public boolean runs(String jvm) {
    try {
      return marks.now().has(jvm);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private void seen(Marked marked) {
    var address = cluster.selfAddress();
    switch (predecessor(marked, address, Duration.ofNanos(System.nanoTime() - begun))) {
      case RECKONED_WITH -> {}
      case LEFT_OUT -> unreckoned.complete(null);
      case GIVEN_UP -> {
        if (unreckoned.complete(null)) {
          LOG.warn(
              "The other JVMs of this node have not left out the one that was at {} before, which"
                  + " may stand still. This one joins them all the same.",
              address);
        }
      }
    }
  }

  /** Whoever was at the place of a JVM before it, as the others have it. */
  enum Predecessor {
    /** There was nobody, or the others have done with it. */
    LEFT_OUT,
    RECKONED_WITH,
    /** The others reckon with it for longer than anybody waits. */
    GIVEN_UP
  }

  /**
   * @param waited since this JVM began
   */
  static Predecessor predecessor(Marked marked, Address place, Duration waited) {
    if (!marked.isReckonedWith(place)) {
      return Predecessor.LEFT_OUT;
    }
    return waited.compareTo(LONGEST_RECKONED) > 0
        ? Predecessor.GIVEN_UP
        : Predecessor.RECKONED_WITH;
  }

  private void lookLater(Duration after) {
    var unused = system.scheduler().scheduleOnce(after, this::look, executor);
  }

  private void look() {
    if (system.whenTerminated().isCompleted() || cluster.isTerminated()) {
      return;
    }
    var others = Others.of(cluster);
    try {
      long looked = System.nanoTime();
      var marked = marks.look(reckoned.with(others.places()));
      seen(marked);
      var dead = dead(marked, others.atWork(), DeadJvms::isRefused);
      if (!dead.isEmpty() && mayLeaveOut(database, self, () -> System.nanoTime() - looked)) {
        dead.forEach(this::leaveOut);
      }
    } catch (SQLException e) {
      // Who else needs the database says so; nobody is left out meanwhile.
      LOG.debug("Cannot look which JVMs live: the database does not answer", e);
    } catch (DatabaseException e) {
      LOG.error("{} This JVM ends.", e.getMessage());
      cluster.down(cluster.selfAddress());
    } finally {
      lookLater(
          reckoned.hasRemoved(others.places()) || !unreckoned.isDone() ? SOON : BETWEEN_LOOKS);
    }
  }

  /**
   * All members but this one.
   *
   * @param places of those in whatever state
   * @param atWork those that are neither on their way out nor left out
   */
  private record Others(Set<Address> places, List<UniqueAddress> atWork) {
    static Others of(Cluster cluster) {
      var places = new HashSet<Address>();
      var atWork = new ArrayList<UniqueAddress>();
      for (var member : cluster.state().getMembers()) {
        if (!member.address().equals(cluster.selfAddress())) {
          places.add(member.address());
          if (AT_WORK.contains(member.status())) {
            atWork.add(member.uniqueAddress());
          }
        }
      }
      return new Others(places, atWork);
    }
  }

  /**
   * Which of the members have died.
   *
   * @param refused whether connections to an address are refused by whoever is there; asked only
   *     where it decides
   */
  static List<UniqueAddress> dead(
      Marked marked, List<UniqueAddress> members, Predicate<Address> refused) {
    return members.stream()
        .filter(
            member -> {
              var jvm = JvmName.of(member);
              return !marked.has(jvm)
                  && (marked.hasAnyAtThePlaceOf(jvm) || refused.test(member.address()));
            })
        .toList();
  }

  /**
   * Whether this JVM may still say who is left out. One that stood still for a while, and was left
   * out itself by what was started in the place of the dead, must not: it would take over from that
   * process, which is at the same address and would give up its singletons to one that ends.
   *
   * @param nanos since this JVM began to look: what it has seen long ago it must look at again
   */
  static boolean mayLeaveOut(PostgresDatabase database, JvmName self, LongSupplier nanos)
      throws SQLException {
    boolean known = WritingJvms.isKnown(self, database);
    return known && nanos.getAsLong() < MOST_OLD.toNanos();
  }

  /** Not where there is no answer: that may be a network that is cut. */
  private static boolean isRefused(Address address) {
    var host = address.getHost();
    var port = address.getPort();
    if (host.isEmpty() || port.isEmpty()) {
      return false;
    }
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host.get(), port.get()), CONNECT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void leaveOut(UniqueAddress member) {
    LOG.info(
        "The JVM at {} has died: its database session is closed, and it does not listen. It is left"
            + " out of the cluster at once.",
        member.address());
    cluster.down(member.address());
  }

  /** How Akka finds the extension; to be named in {@code akka.library-extensions}. */
  public static final class Id extends AbstractExtensionId<DeadJvms>
      implements ExtensionIdProvider {
    private static final Id INSTANCE = new Id();

    /** For Akka, which makes one to ask it for {@link #lookup}. */
    public Id() {}

    @Override
    public DeadJvms createExtension(ExtendedActorSystem system) {
      return new DeadJvms(system);
    }

    @Override
    public ExtensionId<? extends Extension> lookup() {
      return INSTANCE;
    }
  }
}
