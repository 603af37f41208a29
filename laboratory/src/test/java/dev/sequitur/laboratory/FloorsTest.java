package dev.sequitur.laboratory;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.persistence.store.CellStore;
import dev.sequitur.persistence.store.CommandStore;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.registry.FamilyTypes;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.actor.SchedulerSerializer;
import dev.sequitur.scheduler.runtime.RunningScheduler;
import dev.sequitur.sequencer.actor.NodeServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The floors of docs/architecture.md: who may use whom, and how pure the rules are.
 *
 * <p>It lives in {@code laboratory}, the one module that sees all others. Maven's own dependencies
 * keep out most of this already; what they can't see is what the JDK offers to everybody.
 */
@AnalyzeClasses(
    packages = "dev.sequitur",
    importOptions = {ImportOption.DoNotIncludeTests.class, FloorsTest.NoFixtures.class})
class FloorsTest {

  /** Packaged tests are no part of the product either. */
  static final class NoFixtures implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String PROTOCOL = "dev.sequitur.protocol..";
  private static final String SCHEDULES = "dev.sequitur.schedule..";
  private static final String ENCODING = "dev.sequitur.encoding..";
  private static final String SIMULATION = "dev.sequitur.simulation..";
  private static final String LINKS = "dev.sequitur.links..";
  private static final String PERSISTENCE = "dev.sequitur.persistence..";
  private static final String JSON = "dev.sequitur.json..";
  private static final String CRYPTO = "dev.sequitur.crypto..";
  private static final String DOMAINS = "dev.sequitur.domain..";
  private static final String CLUSTER = "dev.sequitur.cluster..";
  private static final String TRANSPORT = "dev.sequitur.transport..";
  private static final String TRACES = "dev.sequitur.trace..";
  private static final String LEDGER = "dev.sequitur.ledger..";
  private static final String ETHEREUM = "dev.sequitur.ethereum..";
  private static final String SEQUENCER = "dev.sequitur.sequencer..";
  private static final String SCHEDULER = "dev.sequitur.scheduler..";
  private static final String CONSOLE = "dev.sequitur.console..";
  private static final String CLIENT = "dev.sequitur.client..";
  private static final String NODE = "dev.sequitur.node..";
  private static final String LABORATORY = "dev.sequitur.laboratory..";

  @ArchTest
  static final ArchRule everyClassLivesOnAFloor =
      classes()
          .should()
          .resideInAnyPackage(
              PROTOCOL,
              SCHEDULES,
              ENCODING,
              SIMULATION,
              LINKS,
              PERSISTENCE,
              JSON,
              CRYPTO,
              DOMAINS,
              CLUSTER,
              TRANSPORT,
              TRACES,
              LEDGER,
              ETHEREUM,
              SEQUENCER,
              SCHEDULER,
              CONSOLE,
              NODE,
              CLIENT,
              LABORATORY);

  /** What uses each other in a circle is one thing in several packages, or in the wrong ones. */
  @ArchTest
  static final ArchRule noPackagesUseEachOtherInACircle =
      slices().matching("dev.sequitur.(**)").should().beFreeOfCycles();

  /** What may be named at all; java.io, java.net, java.nio.file, Akka and Jackson are not. */
  @ArchTest
  static final ArchRule protocolUsesOnlyValuesAndHashing =
      classes()
          .that()
          .resideInAPackage(PROTOCOL)
          // Read by javac alone.
          .and()
          .areNotAssignableTo(Copyable.class)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              PROTOCOL,
              "java.lang..",
              "java.math",
              "java.nio",
              "java.nio.charset",
              "java.security",
              "java.text",
              "java.time..",
              "java.util..",
              "org.pcollections..",
              "org.bouncycastle.crypto",
              "org.bouncycastle.crypto.digests")
          .allowEmptyShould(true);

  /** What may be named by the rules of schedules: no errand of the sequencer's. */
  @ArchTest
  static final ArchRule schedulesUseOnlyValuesAndTheProtocol =
      classes()
          .that()
          .resideInAPackage(SCHEDULES)
          .and()
          .areNotAssignableTo(Copyable.class)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              SCHEDULES,
              PROTOCOL,
              "java.lang..",
              "java.math",
              "java.nio",
              "java.nio.charset",
              "java.text",
              "java.time..",
              "java.util..",
              "org.pcollections..",
              "com.cronutils..")
          .allowEmptyShould(true);

  /** So that one seed is one exact replay. */
  @ArchTest
  static final ArchRule simulationUsesOnlyValuesAndTheRules =
      classes()
          .that()
          .resideInAPackage(SIMULATION)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              SIMULATION,
              PROTOCOL,
              SCHEDULES,
              "java.lang..",
              "java.math",
              "java.nio.charset",
              "java.time..",
              "java.util..",
              "org.pcollections..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule onlyTheLaboratoryUsesTheSimulation =
      noClasses()
          .that()
          .resideInAnyPackage(
              PROTOCOL,
              SCHEDULES,
              ENCODING,
              LINKS,
              PERSISTENCE,
              JSON,
              CRYPTO,
              DOMAINS,
              CLUSTER,
              TRANSPORT,
              TRACES,
              LEDGER,
              ETHEREUM,
              SEQUENCER,
              SCHEDULER,
              CONSOLE,
              NODE,
              CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(SIMULATION)
          .because("it plays what surrounds the rules, and the product does not play")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule protocolHasNoThreadsClockOrChanceOfItsOwn =
      noClasses()
          .that()
          .resideInAnyPackage(PROTOCOL, SCHEDULES, SIMULATION)
          .should()
          .accessTargetWhere(reachesOutsideTheRules())
          .because("time and chance come in as values, effects go out as values")
          .allowEmptyShould(true);

  /** Who has a reason for the time that people go by, which may be set back. */
  private static final Map<String, Set<String>> GOING_BY_THE_TIME_OF_DAY =
      Map.of(
          "until when certificates and tokens hold",
          Set.of(
              "dev.sequitur.links.tls.FileContexts.of",
              "dev.sequitur.links.tls.FileContexts.serving",
              "dev.sequitur.node.process.ChainNodes.called",
              "dev.sequitur.node.process.NodeAssembly.certificates",
              "dev.sequitur.node.process.NodeAssembly.guard",
              "dev.sequitur.transport.tls.TlsTransport.<init>"),
          "times that are written down or shown, and that nothing waits for",
          Set.of(
              "dev.sequitur.node.process.NodeAssembly.backups",
              "dev.sequitur.node.process.NodeAssembly.scheduledTransactions",
              "dev.sequitur.node.process.ProcessStarter.outside",
              "dev.sequitur.node.process.ProcessStarter.start",
              "dev.sequitur.node.rehearsal.Rehearsal.begin",
              "dev.sequitur.node.rpc.server.RpcServer.start",
              "dev.sequitur.persistence.journal.MapJournal.doAsyncWriteMessages"),
          "blocks of the embedded ledger, each of which is later than the one before",
          Set.of(
              "dev.sequitur.node.process.LedgerInProcess.<init>",
              "dev.sequitur.node.process.LedgerInProcess.view",
              "dev.sequitur.node.rehearsal.Rehearsal.view"),
          "schedules are due by it: queues say what becomes of them when it is set back",
          Set.of("dev.sequitur.node.process.NodeAssembly.start"),
          "the steady clock follows it, and never back",
          Set.of("dev.sequitur.sequencer.setup.SteadyClock.ofSystem"));

  /** Nobody can ask too early for what is only told later. */
  @ArchTest
  static final ArchRule whatTheActorsOfANodeShareIsThereWhenItIsMade =
      fields()
          .that()
          .areDeclaredIn(NodeServices.class)
          .should()
          .beFinal()
          .andShould()
          .notHaveRawType(resideInAPackage("java.util.concurrent.atomic"));

  /** A clock that is set back would keep all that waits from going on (decision 0166). */
  @ArchTest
  static final ArchRule whatANodeWaitsForGoesByAClockThatNeverGoesBack =
      noClasses()
          .that()
          .resideInAnyPackage(
              ENCODING,
              LINKS,
              PERSISTENCE,
              CRYPTO,
              DOMAINS,
              CLUSTER,
              TRANSPORT,
              TRACES,
              LEDGER,
              ETHEREUM,
              SEQUENCER,
              SCHEDULER,
              NODE)
          .and()
          // Processes of their own, which end at once.
          .resideOutsideOfPackage("dev.sequitur.node.command..")
          .should()
          .accessTargetWhere(
              describe(
                  "tells the time of day to others than the named",
                  access ->
                      tellsTheTimeOfDay(access)
                          && GOING_BY_THE_TIME_OF_DAY.values().stream()
                              .noneMatch(places -> places.contains(place(access)))))
          .because("it is a SteadyClock's to tell, unless the time of day itself is meant");

  private static String place(JavaAccess<?> access) {
    return access.getOriginOwner().getName() + "." + access.getOrigin().getName();
  }

  private static boolean tellsTheTimeOfDay(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getTarget().getName();
    return access.getTarget().getFullName().equals("java.lang.System.currentTimeMillis()")
        || access.getTarget().getFullName().equals("java.util.Date.<init>()")
        || (owner.startsWith("java.time.") && (name.equals("now") || name.startsWith("system")));
  }

  @ArchTest
  static final ArchRule encodingUsesOnlyValues =
      classes()
          .that()
          .resideInAPackage(ENCODING)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ENCODING,
              "dev.sequitur.protocol.id",
              "dev.sequitur.protocol.paged",
              "java.lang..",
              "java.math",
              "java.time",
              "java.util..",
              "org.pcollections..");

  @ArchTest
  static final ArchRule linksUseOnlyProtocol =
      isClosedTo(
          LINKS,
          ENCODING,
          PERSISTENCE,
          JSON,
          CRYPTO,
          DOMAINS,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule persistenceUsesOnlyProtocolAndEncoding =
      isClosedTo(
          PERSISTENCE,
          LINKS,
          JSON,
          CRYPTO,
          DOMAINS,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule jsonUsesOnlyProtocol =
      isClosedTo(
          JSON,
          SCHEDULES,
          ENCODING,
          LINKS,
          PERSISTENCE,
          CRYPTO,
          DOMAINS,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule cryptoUsesOnlyProtocolAndPersistence =
      isClosedTo(
          CRYPTO,
          LINKS,
          JSON,
          DOMAINS,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  /** What is decided about states needs neither a store nor an actor. */
  @ArchTest
  static final ArchRule domainsUseOnlyTheRulesAndCrypto =
      isClosedTo(
          DOMAINS,
          LINKS,
          PERSISTENCE,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY,
          "akka..");

  @ArchTest
  static final ArchRule clusterConfigUsesOnlyProtocolPersistenceAndLinks =
      isClosedTo(
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule transportKnowsNeitherActorsNorWhatMessagesMean =
      isClosedTo(
          TRANSPORT,
          SCHEDULES,
          JSON,
          CRYPTO,
          DOMAINS,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY,
          "akka..");

  @ArchTest
  static final ArchRule tracesUseOnlyTheRulesAndEncoding =
      isClosedTo(
          TRACES,
          LINKS,
          PERSISTENCE,
          JSON,
          CRYPTO,
          DOMAINS,
          CLUSTER,
          TRANSPORT,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY,
          "akka..");

  @ArchTest
  static final ArchRule baseLedgerUsesNoneOfTheActors =
      isClosedTo(
          LEDGER,
          CLUSTER,
          TRANSPORT,
          TRACES,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule ethereumUsesOnlyTheProtocol =
      isClosedTo(
          ETHEREUM,
          PERSISTENCE,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          SEQUENCER,
          SCHEDULER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule sequencerReachesLedgerAndTransportOnlyByTheirPorts =
      isClosedTo(
          SEQUENCER, TRANSPORT, LEDGER, ETHEREUM, SCHEDULER, CONSOLE, NODE, CLIENT, LABORATORY);

  @ArchTest
  static final ArchRule schedulerReachesTheSequencerOnlyByItsPort =
      isClosedTo(
          SCHEDULER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          CONSOLE,
          NODE,
          CLIENT,
          LABORATORY);

  @ArchTest
  static final ArchRule aConsoleKnowsNobody =
      noClasses()
          .that()
          .resideInAPackage(CONSOLE)
          .should()
          .dependOnClassesThat(
              describe(
                  "are of another floor",
                  each ->
                      each.getPackageName().startsWith("dev.sequitur.")
                          && !each.getPackageName().startsWith("dev.sequitur.console")))
          .because("each program brings its own commands");

  @ArchTest
  static final ArchRule aNodeKnowsNeitherClientNorLaboratory = isClosedTo(NODE, CLIENT, LABORATORY);

  /** Of a store that fails the port says what callers are told, whichever store it is. */
  @ArchTest
  static final ArchRule jsonRpcKnowsNoStore =
      isClosedTo("dev.sequitur.node.rpc..", "dev.sequitur.persistence..", "java.sql..");

  @ArchTest
  static final ArchRule aClientKnowsNoNode =
      isClosedTo(
          CLIENT,
          ENCODING,
          PERSISTENCE,
          CLUSTER,
          TRANSPORT,
          TRACES,
          LEDGER,
          ETHEREUM,
          SEQUENCER,
          SCHEDULER,
          NODE,
          LABORATORY);

  /** Who only calls a node needs neither the actors it is made of nor what it stores with. */
  @ArchTest
  static final ArchRule aClientAndItsLinksNeedNeitherActorsNorAStore =
      noClasses()
          .that()
          .resideInAnyPackage(CLIENT, LINKS, CONSOLE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "akka..", "scala..", "org.fusesource..", "org.postgresql..", "java.sql..");

  /** The rooms of the schedules that serve all families alike. */
  private static final DescribedPredicate<JavaClass> ENGINE =
      describe(
          "are of the schedules' engine",
          each ->
              (each.getPackageName() + ".").startsWith("dev.sequitur.schedule.")
                  && !each.getPackageName().equals(FamilyTypes.class.getPackageName())
                  && !roomsOfFamilies().contains(each.getPackageName()));

  private static List<String> roomsOfFamilies() {
    return FamilyTypes.of(Family.class).stream().map(Class::getPackageName).toList();
  }

  @ArchTest
  static final ArchRule theEngineKnowsNoFamily =
      noClasses()
          .that(ENGINE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(roomsOfFamilies().toArray(String[]::new))
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(FamilyTypes.class)
          .because("it asks a family for its capabilities, and never for its name");

  /** Numbers of multi-signature schedules are written as their ids: {@code EntityId} says so. */
  @ArchTest
  static final ArchRule theEngineNamesNoKindOfFamily =
      noClasses()
          .that(ENGINE)
          .and()
          .doNotHaveFullyQualifiedName(FamilyKind.class.getName())
          .and()
          .doNotHaveFullyQualifiedName(EntityId.class.getName())
          .should()
          .accessTargetWhere(
              describe(
                  "is a constant of FamilyKind",
                  access ->
                      access instanceof JavaFieldAccess
                          && access.getTargetOwner().isEquivalentTo(FamilyKind.class)))
          .because("what one family needs is a capability that it declares");

  /**
   * What of the actors serves all families alike; {@link SchedulerSerializer} has the table of what
   * is sent.
   */
  private static final DescribedPredicate<JavaClass> ENGINES_ACTORS =
      describe(
          "serve all families of schedules",
          each ->
              Stream.of(SchedulerNode.class, SchedulerSerializer.class, RunningScheduler.class)
                      .anyMatch(room -> room.getPackageName().equals(each.getPackageName()))
                  && !each.isEquivalentTo(SchedulerSerializer.class));

  @ArchTest
  static final ArchRule theActorsKnowNoFamilyEither =
      noClasses()
          .that(ENGINES_ACTORS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(roomsOfFamilies().toArray(String[]::new))
          .because("a family that is added touches its own room, and tables");

  /** What the engine leaves open, and each family closes. */
  private static final Set<Class<?>> OPEN =
      Set.of(
          Family.class,
          FamilyEvent.class,
          FamilyNotice.class,
          FamilyOperation.class,
          FamilyQuery.class,
          FamilyResult.class,
          FamilyState.class,
          Terms.class);

  @ArchTest
  static final ArchRule whatAFamilyPutsInAnOpenTypesPlaceIsRegistered =
      classes()
          .that(describe("are a family's", each -> OPEN.stream().anyMatch(each::isAssignableTo)))
          .and()
          .resideOutsideOfPackage(Family.class.getPackageName())
          .should()
          .beAssignableTo(
              describe(
                  "one that FamilyTypes names",
                  each ->
                      FamilyTypes.of(Object.class).stream()
                          .anyMatch(named -> named.getName().equals(each.getName()))))
          .because("codecs ask FamilyTypes which alternatives there are");

  /** What is added beside others of its kind, and then named where they are used. */
  private static final Set<Class<?>> ADDED =
      Set.of(
          BaseLedger.class,
          BodyStore.class,
          CellStore.class,
          CommandStore.class,
          Domain.class,
          Family.class,
          NodeStore.class);

  /** So that its last step is not forgotten: a domain is loaded, a ledger can be chosen. */
  @ArchTest
  static final ArchRule whatIsAddedIsUsed =
      classes()
          .that(
              describe(
                  "implement a port or make methods of JSON-RPC",
                  each ->
                      ADDED.stream().anyMatch(each::isAssignableTo)
                          || each.getMethodCallsFromSelf().stream()
                              .anyMatch(FloorsTest::makesAMethod)))
          .and()
          .areTopLevelClasses()
          .and()
          .areNotInterfaces()
          .and()
          .doNotHaveModifier(JavaModifier.ABSTRACT)
          .should(beMadeByOthers());

  private static boolean makesAMethod(JavaMethodCall call) {
    return call.getTargetOwner().isEquivalentTo(RpcMethod.class) && call.getName().equals("of");
  }

  /** By its constructor, or by a static method of its own. */
  private static ArchCondition<JavaClass> beMadeByOthers() {
    return new ArchCondition<>("be made by another class") {
      @Override
      public void check(JavaClass each, ConditionEvents events) {
        boolean made =
            Stream.concat(
                    each.getConstructorCallsToSelf().stream(),
                    each.getMethodCallsToSelf().stream().filter(FloorsTest::isStatic))
                .anyMatch(call -> !call.getOriginOwner().getName().startsWith(each.getName()));
        if (!made) {
          events.add(
              SimpleConditionEvent.violated(
                  each, each.getName() + " is there, and no other class makes one"));
        }
      }
    };
  }

  private static boolean isStatic(JavaMethodCall call) {
    return call.getTarget()
        .resolveMember()
        .map(method -> method.getModifiers().contains(JavaModifier.STATIC))
        .orElse(false);
  }

  /** So that a way of keeping data, or to a ledger, can be chosen in a node's configuration. */
  @ArchTest
  static final ArchRule whatCanBeChosenIsRead =
      classes()
          .that()
          .areAssignableTo(LedgerAccess.class)
          .or()
          .areAssignableTo(NodeJvms.class)
          .and()
          .areNotInterfaces()
          .should(beMadeByItsRead());

  private static ArchCondition<JavaClass> beMadeByItsRead() {
    return new ArchCondition<>("be made by the read of the interface that it stands in") {
      @Override
      public void check(JavaClass each, ConditionEvents events) {
        boolean read =
            each.getConstructorCallsToSelf().stream()
                .map(JavaAccess::getOrigin)
                .anyMatch(
                    origin ->
                        origin.getName().equals("read")
                            && each.getEnclosingClass().equals(Optional.of(origin.getOwner())));
        if (!read) {
          events.add(
              SimpleConditionEvent.violated(
                  each, each.getName() + " is there, and no setting leads to it"));
        }
      }
    };
  }

  @ArchTest
  static final ArchRule aNameSaysWhatItIs =
      noClasses()
          .should()
          .haveNameMatching(".*(Utils?|Helpers?|Manager|Impl)(\\$.*)?")
          .because("such a name says nothing: name the concept");

  /** They pick some alternatives out of many that are all alike to them. */
  private static final Set<String> PICKING =
      Set.of(
          "dev.sequitur.sequencer.actor.CoordinatorActor.isWork",
          "dev.sequitur.sequencer.actor.SenderActor.isWork",
          "dev.sequitur.simulation.Conduct.onCommitted",
          "dev.sequitur.simulation.Conduct.onSent",
          "dev.sequitur.simulation.CrashPoint.<clinit>");

  /** So that a new alternative that nobody answers does not compile. */
  @ArchTest
  static final ArchRule alternativesAreToldApartByASwitch =
      codeUnits().should(tellAlternativesApartByASwitch());

  /**
   * What an actor is told is told apart by a switch, so that a new alternative does not compile.
   */
  @ArchTest
  static final ArchRule anActorAnswersAllThatItIsTold =
      noClasses()
          .should()
          .callMethodWhere(
              target(nameMatching("onMessage|onMessageEquals|onMessageUnchecked|onCommand"))
                  .and(target(owner(resideInAnyPackage("akka..", "scala.."))))
                  .as("a builder picks one kind of message out of several"))
          .because("what no builder has picked would be lost without a word");

  @Test
  void everyPackageSaysWhatLivesThere() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      List<Path> silent =
          modules
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .flatMap(FloorsTest::packagesIn)
              .filter(folder -> Files.notExists(folder.resolve("package-info.java")))
              .toList();
      assertThat(silent).as("packages without a package-info.java").isEmpty();
    }
  }

  /** They start processes, and everybody who builds waits for them. */
  private static final Set<String> QUICK =
      Set.of("AbsentLedgerIT.java", "DemoIT.java", "TwoProcessesIT.java");

  @Test
  void whoeverBuildsWaitsForFewTestsThatStartProcesses() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      List<String> untagged =
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .flatMap(FloorsTest::sourcesIn)
              .filter(file -> file.toString().endsWith("IT.java"))
              .filter(file -> !read(file).contains("\n@Tag(\"slow\")\n"))
              .map(file -> file.getFileName().toString())
              .toList();
      assertThat(untagged).as("not of the tier of -Pslow").hasSameElementsAs(QUICK);
    }
  }

  /** {@code ./sequitur} builds without tests, and Maven looks for the jar of tests all the same. */
  @Test
  void aJarOfTestsIsMadeInABuildWithoutTestsToo() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      List<Path> without =
          modules
              .map(module -> module.resolve("pom.xml"))
              .filter(Files::exists)
              .filter(pom -> read(pom).contains("<skipIfEmpty>"))
              .toList();
      assertThat(without).as("modules that may leave out a jar").isEmpty();
    }
  }

  /** A name that a reader has met means the same thing in every room. */
  @Test
  void aNameAtTheTopLevelMeansOneThing() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      Map<String, List<Path>> named =
          modules
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .flatMap(FloorsTest::sourcesIn)
              .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
      named.remove("package-info.java");
      named.values().removeIf(files -> files.size() == 1);
      assertThat(named).as("names of several things").isEmpty();
    }
  }

  private static Stream<Path> packagesIn(Path sources) {
    return sourcesIn(sources).map(Path::getParent).distinct();
  }

  private static Stream<Path> sourcesIn(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ArchRule isClosedTo(String floor, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(floor)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .because("a floor uses only those above it")
        .allowEmptyShould(true);
  }

  private static ArchCondition<JavaCodeUnit> tellAlternativesApartByASwitch() {
    return new ArchCondition<>("tell the alternatives of a sealed type apart by a switch") {
      @Override
      public void check(JavaCodeUnit method, ConditionEvents events) {
        if (PICKING.contains(method.getOwner().getName() + "." + method.getName())) {
          return;
        }
        var asked = new HashMap<Class<?>, Set<Class<?>>>();
        for (var check : method.getInstanceofChecks()) {
          var alternative = check.getRawType().reflect();
          sealedAbove(alternative)
              .forEach(
                  type -> asked.computeIfAbsent(type, any -> new HashSet<>()).add(alternative));
        }
        asked.forEach(
            (type, alternatives) -> {
              if (alternatives.size() > 1) {
                events.add(
                    SimpleConditionEvent.violated(
                        method,
                        "%s asks by instanceof for %s: switch over %s instead"
                            .formatted(method.getFullName(), alternatives, type.getName())));
              }
            });
      }
    };
  }

  /** Of ours: the JDK's own types have sealed ones above them too. */
  private static Stream<Class<?>> sealedAbove(Class<?> type) {
    return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
        .flatMap(above -> Stream.concat(Stream.of(above), sealedAbove(above)))
        .filter(above -> above.isSealed() && above.getName().startsWith("dev.sequitur."));
  }

  private static DescribedPredicate<JavaAccess<?>> reachesOutsideTheRules() {
    Set<String> types =
        Set.of(
            "java.lang.Process",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime",
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.security.KeyPairGenerator",
            "java.security.SecureRandom",
            "java.time.Clock",
            "java.util.Timer",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ThreadLocalRandom");
    Set<String> members =
        Set.of(
            "java.lang.Math.random()",
            "java.lang.Object.wait()",
            "java.lang.System.currentTimeMillis()",
            "java.lang.System.getProperty(java.lang.String)",
            "java.lang.System.getenv(java.lang.String)",
            "java.lang.System.identityHashCode(java.lang.Object)",
            "java.lang.System.nanoTime()",
            "java.time.ZoneId.systemDefault()",
            "java.util.Collections.shuffle(java.util.List)",
            "java.util.Random.<init>()",
            "java.util.SplittableRandom.<init>()",
            "java.util.UUID.randomUUID()");
    return describe(
        "is a thread, a clock or chance",
        access -> {
          String owner = access.getTargetOwner().getName();
          return types.contains(owner)
              || members.contains(access.getTarget().getFullName())
              || (owner.startsWith("java.time.") && access.getTarget().getName().equals("now"));
        });
  }
}
