package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.node.rpc.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do who have a key: the commands of multi-signature schedules. */
class SigningCommandsTest {
  @TempDir private Path directory;

  private ScheduleConsole cli = new ScheduleConsole(RunningRpc.withDefaults());

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void whatWaitsForAKeyIsListed() {
    var key = cli.run("key " + directory.resolve("bob.pem") + " --new ed25519");
    assertThat(cli.run("open " + key)).isEqualTo("Opened account 0.0.1001");
    assertThat(cli.run("list --waiting-for " + key)).isEqualTo("Nothing waits for this key.");
  }

  /** Two people with keys of both kinds, made here. */
  @Test
  void aKeyThatIsMadeSignsWhateverItsKind() {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = directory.resolve("alice.pem");
    var bob = directory.resolve("bob.pem");
    var alicesKey = cli.run("key " + alice + " --new secp256k1");
    var bobsKey = cli.run("key " + bob + " --new ed25519");
    assertThat(alicesKey).matches("secp256k1:0[23][0-9a-f]{64}").isEqualTo(cli.run("key " + alice));
    assertThat(bobsKey).matches("ed25519:[0-9a-f]{64}").isEqualTo(cli.run("key " + bob));
    cli.run("open " + alicesKey);
    cli.run("open " + bobsKey);
    cli.run("fund 0.0.1001 1000");
    cli.run("fund 0.0.1002 1000");

    cli.run(
        "create --payer 0.0.1002 --only-pay --transfer 0.0.1001=-40 --transfer 0.0.1002=40"
            + " --key-file "
            + bob);
    assertThat(cli.run("list --key-file " + alice)).contains("0.0.1003", "0.0.1001 -40");
    assertThat(cli.run("list --key " + alicesKey)).isEqualTo(cli.run("list --key-file " + alice));
    assertThat(cli.run("approve 0.0.1003 --key-file " + alice))
        .isEqualTo("Approved 0.0.1003 (0.0.1001 -40, 0.0.1002 40): SUCCESS");
    assertThat(cli.run("explain 0.0.1003")).contains("It has its outcome.", ": run");
  }

  @Test
  void aKeyThatIsMadeIsItsOwnersAloneAndIsNeverOverwritten() throws Exception {
    var file = directory.resolve("alice.pem");
    var made = cli.run("key " + file + " --new secp256k1");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(cli.execute("key " + file + " --new ed25519")).isEqualTo(2);
    assertThat(cli.err()).contains(file + " is there already", "name another file.");
    assertThat(cli.run("key " + file)).isEqualTo(made);
    assertThat(cli.execute("key " + directory.resolve("none/a.pem") + " --new ed25519"))
        .isEqualTo(2);
    assertThat(cli.err()).contains("cannot be made: name one in a directory");
    assertThat(cli.execute("key " + directory.resolve("rsa.pem") + " --new rsa")).isEqualTo(2);
    assertThat(cli.err()).contains("'rsa' is no kind of key: write ed25519 or secp256k1");
    assertThat(directory.resolve("rsa.pem")).doesNotExist();
  }

  /** OpenSSL 3.0 reads the 48 bytes of RFC 8410 and no public key after them. */
  @Test
  void anEd25519KeyThatIsMadeIsOneForOpenssl() throws Exception {
    var file = directory.resolve("bob.pem");
    cli.run("key " + file + " --new ed25519");
    var lines = Files.readAllLines(file);
    assertThat(lines).hasSize(3);
    assertThat(Base64.getDecoder().decode(lines.get(1)))
        .hasSize(48)
        .startsWith(HexFormat.of().parseHex("302e020100300506032b657004220420"));
  }

  /** By 'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1', and its point. */
  @Test
  void aSecp256k1KeyOfOpensslIsRead() throws Exception {
    var file =
        Files.writeString(
            directory.resolve("openssl.pem"),
            """
            -----BEGIN PRIVATE KEY-----
            MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgyItSzjq6z3pZ7alzk5GI
            AJYfmhqM56aS9YCIaekBlguhRANCAATEaz7xgJpsOKDjz7VpH/DEMcrWhi4nR7mb
            Z4pA/BVInOfPx0NxoXTtICkUfwQbIaO5FkqW/1d8FjFvZe7PKNKz
            -----END PRIVATE KEY-----
            """);
    assertThat(cli.run("key " + file))
        .isEqualTo("secp256k1:03c46b3ef1809a6c38a0e3cfb5691ff0c431cad6862e2747b99b678a40fc15489c");
  }

  /** By 'openssl ecparam -name secp256k1 -genkey', and its point. */
  @Test
  void anOlderFormOfOpensslIsReadToo() throws Exception {
    var file =
        Files.writeString(
            directory.resolve("openssl.pem"),
            """
            -----BEGIN EC PARAMETERS-----
            BgUrgQQACg==
            -----END EC PARAMETERS-----
            -----BEGIN EC PRIVATE KEY-----
            MHQCAQEEIH/4mZtOdhN/5n1S4+NOpkWnKVS5+X+Xb/H3f6xP9vkNoAcGBSuBBAAK
            oUQDQgAEmBXtEq7T1rnsGkfppTiSZoxTubGn4ZAzQLDU/86maK9Cp35xG5u+9SVT
            fkCl4MYqNmpTxQ6b4xcxSoNA38IINA==
            -----END EC PRIVATE KEY-----
            """);
    assertThat(cli.run("key " + file))
        .isEqualTo("secp256k1:029815ed12aed3d6b9ec1a47e9a53892668c53b9b1a7e1903340b0d4ffcea668af");
  }

  @Test
  void anEncryptedKeyIsTold() throws Exception {
    var file =
        Files.writeString(
            directory.resolve("openssl.pem"),
            """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,B8F96AA01090C0A19D41238DFDD88346

            UpH8TwQ+ofLeDA7PoOv5WP0sIxSmAo63vOff374tUqpn/3i9isPnGxp/obMSUea3
            n/RlM3SyiNjXLBjtKdcL8yPwUW/zaUOFh+LLOcmM5QR7z8nHy4pUUBZ7tW3Lgy0k
            fXXRplvIzj4LdNDt7N+KexpwOkmPmHlGtCtxCZOETIg=
            -----END EC PRIVATE KEY-----
            """);
    assertThat(cli.execute("key " + file)).isEqualTo(2);
    assertThat(cli.err())
        .contains("The key file " + file + " is encrypted: give one without a passphrase.");
  }

  /** Two people, each with a key in a file, as openssl writes it, and an account. */
  @Test
  void whoeverHasAKeyFileFindsWhatWaitsForItAndSignsIt() throws Exception {
    // A transaction is valid from its making on, by the clock on the wall, for two minutes.
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = keyFile("alice");
    var bob = keyFile("bob");
    assertThat(cli.run("open " + cli.run("key " + alice))).isEqualTo("Opened account 0.0.1001");
    assertThat(cli.run("open " + cli.run("key " + bob))).isEqualTo("Opened account 0.0.1002");
    cli.run("fund 0.0.1001 1000");
    cli.run("fund 0.0.1002 1000");

    var create =
        "create --payer 0.0.1001 --transfer 0.0.1002=-40 --transfer 0.0.1001=40 --key-file "
            + alice;
    assertThat(cli.execute(create)).isEqualTo(1);
    assertThat(cli.err()).contains("SOME_SIGNATURES_WERE_INVALID", "add --only-pay.");
    var created = cli.run(create + " --only-pay");
    assertThat(created).startsWith("Schedule 0.0.1003 ");
    assertThat(cli.run("list --key-file " + alice)).isEqualTo("Nothing waits for this key.");
    assertThat(cli.run("list --key-file " + bob)).contains("0.0.1003", "0.0.1002 -40");
    assertThat(cli.run("sign 0.0.1003 --payer 0.0.1002 --key-file " + bob))
        .startsWith("Approved 0.0.1003 (0.0.1002 -40, 0.0.1001 40): ");
    assertThat(cli.run("list --key-file " + bob)).isEqualTo("Nothing waits for this key.");
    assertThat(cli.run("outcomes")).contains("  run  ", "  0.0.1003  ");
    assertThat(cli.run("explain 0.0.1003")).contains("It has its outcome.", ": run");
  }

  @Test
  void ofAThresholdKeyAsManySignAsItSays() throws Exception {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = keyFile("alice");
    var bob = keyFile("bob");
    cli.run("open %s %s --threshold 1".formatted(cli.run("key " + alice), cli.run("key " + bob)));
    opened("carol", "0.0.1002");
    cli.run("fund 0.0.1001 1000");
    cli.run(
        "create --payer 0.0.1001 --transfer 0.0.1001=-40 --transfer 0.0.1002=40 --key-file " + bob);
    assertThat(cli.run("explain 0.0.1003")).contains(": run");
  }

  /** Who pays for the signing is asked only where it is not plain. */
  @Test
  void whoPaysForAnApprovalIsTheAccountThatMustGiveItWithThisKey() throws Exception {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = opened("alice", "0.0.1001");
    var bob = opened("bob", "0.0.1002");
    cli.run("open " + cli.run("key " + bob));
    cli.run("fund 0.0.1003 1000");
    cli.run("open %s %s --threshold 1".formatted(cli.run("key " + alice), cli.run("key " + bob)));
    cli.run("fund 0.0.1004 1000");
    var create = "create --payer 0.0.1001 --only-pay --key-file " + alice + " --transfer ";
    cli.run(create + "0.0.1002=-3 --transfer 0.0.1003=-4 --transfer 0.0.1001=7");
    cli.run(create + "0.0.1004=-3 --transfer 0.0.1001=3");

    assertThat(cli.execute("approve 0.0.1005 --key-file " + bob)).isEqualTo(2);
    assertThat(cli.err())
        .contains("The accounts 0.0.1002 and 0.0.1003 have this key: say by --payer which account");
    assertThat(cli.execute("approve 0.0.1006 --key-file " + bob)).isEqualTo(2);
    assertThat(cli.err())
        .contains("No account that must approve 0.0.1006 has just this key: say by --payer");
    assertThat(cli.execute("approve 0.0.1006 --identity bob@node1")).isEqualTo(2);
    assertThat(cli.err()).contains("Say by --payer which account pays for the signing");

    assertThat(cli.run("approve 0.0.1005 --payer 0.0.1003 --key-file " + bob))
        .isEqualTo("Approved 0.0.1005 (0.0.1002 -3, 0.0.1003 -4, 0.0.1001 7): SUCCESS");
    assertThat(cli.run("approve 0.0.1006 --payer 0.0.1002 --key-file " + bob))
        .startsWith("Approved 0.0.1006 ");
    assertThat(cli.run("explain 0.0.1006")).contains(": run");
  }

  @Test
  void aLinkNamesThePageTheScheduleAndItsQueueAndNothingElse() throws Exception {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = opened("alice", "0.0.1001");
    opened("bob", "0.0.1002");
    cli.run(
        "create --payer 0.0.1001 --only-pay --transfer 0.0.1002=-3 --transfer 0.0.1001=3 --key-file "
            + alice);
    var link = cli.rpc().uri("/page/").toString() + "#/schedule/0.0.1003?queue=default";
    assertThat(cli.run("approve 0.0.1003 --link")).isEqualTo(link);
    assertThat(RunningRpc.parse(cli.run("approve 0.0.1003 --link --json")).get("link").asText())
        .isEqualTo(link);
    assertThat(cli.execute("approve 0.0.1003 --link --key-file " + alice)).isEqualTo(2);
    assertThat(cli.err()).contains("--link signs nothing");
  }

  @Test
  void theNodeThatHoldsAnIdentitysKeySignsWithIt() throws Exception {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    opened("carol", "0.0.1001");
    try (var holder = RunningRpc.withDefaults()) {
      var create =
          "create --payer 0.0.1001 --transfer 0.0.1001=-40 --transfer 0.0.1002=40"
              + " --identity dave@node1 --signer-node ";
      assertThat(cli.execute(create + holder.uri("/"))).isEqualTo(1);
      // It was signed there, by a key that is not the payer's.
      assertThat(cli.err()).contains("INVALID");
      assertThat(cli.execute(create + "http://127.0.0.1:1")).isEqualTo(1);
      assertThat(cli.err()).contains("No node answers at http://127.0.0.1:1");
    }
  }

  @Test
  void whatItsCreatorMayTakeBackIsCancelledByTheAdminKey() throws Exception {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = opened("alice", "0.0.1001");
    var bob = opened("bob", "0.0.1002");
    var admin = keyFile("admin");
    var create =
        "create --payer 0.0.1001 --transfer 0.0.1001=-40 --transfer 0.0.1002=40 --key-file "
            + alice
            + " --execution-payer 0.0.1002 --schedule-memo rent --memo lunch --nonce ";
    assertThat(cli.execute(create + "1 --admin-key " + cli.run("key " + admin))).isEqualTo(1);
    assertThat(cli.err()).contains("INVALID_SIGNATURE");
    assertThat(cli.run(create + "1 --admin-key-file " + admin)).startsWith("Schedule 0.0.1003 ");
    assertThat(cli.run(create + "2 --admin-key-file " + admin)).startsWith("Schedule 0.0.1004 ");
    assertThat(cli.run(create + "3")).startsWith("Schedule 0.0.1005 ");
    assertThat(cli.run("list --key-file " + bob))
        .contains("0.0.1003", "0.0.1004", "\"lunch\" \"rent\"");
    assertThat(cli.run("show 0.0.1003"))
        .contains("payer        0.0.1002", "nonce        1", "about it     rent");

    var cancel = " --payer 0.0.1001 --key-file " + alice;
    assertThat(cli.execute("cancel 0.0.1003" + cancel)).isEqualTo(1);
    assertThat(cli.err()).contains("INVALID_SIGNATURE");
    assertThat(cli.execute("cancel 0.0.1005" + cancel + " --admin-key-file " + admin)).isEqualTo(1);
    assertThat(cli.err()).contains("SCHEDULE_IS_IMMUTABLE");
    assertThat(cli.run("cancel 0.0.1003" + cancel + " --admin-key-file " + admin))
        .isEqualTo("Cancelled 0.0.1003: SUCCESS");
    assertThat(cli.run("explain 0.0.1003")).contains("cancelled (Deleted by its admin key.)");
    // As the rules have it.
    var long1004 = "multi-signature:0x" + "%064x".formatted(1004);
    assertThat(cli.run("cancel " + long1004 + cancel + " --admin-key-file " + admin))
        .isEqualTo("Cancelled 0.0.1004: SUCCESS");
    assertThat(cli.run("list --family multi-signature"))
        .doesNotContain("0.0.1004")
        .contains("0.0.1005");
  }

  @Test
  void inTheProfileCurrentAScheduleWaitsForItsTimeAndEverybodySignsTheWholeTransaction()
      throws Exception {
    cli.close();
    cli = new ScheduleConsole(RunningRpc.withProfileCurrent());
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = opened("alice", "0.0.1001");
    var bob = opened("bob", "0.0.1002");
    var admin = keyFile("admin");
    var create =
        "create --payer 0.0.1001 --transfer 0.0.1002=-40 --transfer 0.0.1001=40 --key-file "
            + alice
            + " --expires +10m --wait";
    assertThat(cli.execute(create + " --admin-key " + cli.run("key " + admin))).isEqualTo(1);
    assertThat(cli.err()).contains("INVALID_SIGNATURE");
    var waiting = cli.run(create + " --memo kept --admin-key-file " + admin);
    var cancelled = cli.run(create + " --memo dropped --admin-key-file " + admin);
    assertThat(waiting).startsWith("Schedule 0.0.1003 ");
    assertThat(cancelled).startsWith("Schedule 0.0.1004 ");
    assertThat(
            cli.run(
                "cancel 0.0.1004 --payer 0.0.1001 --key-file %s --admin-key-file %s"
                    .formatted(alice, admin)))
        .startsWith("Cancelled 0.0.1004");
    assertThat(cli.run("approve 0.0.1003 --key-file " + bob)).startsWith("Approved ");
    assertThat(cli.run("outcomes")).doesNotContain("  run  ");
    cli.rpc().scheduler.pass(Duration.ofMinutes(11));
    assertThat(cli.run("explain 0.0.1003")).contains(": run");
  }

  /** With the account of one whose key is in a file, and money in it. */
  private Path opened(String name, String account) throws Exception {
    var file = keyFile(name);
    assertThat(cli.run("open " + cli.run("key " + file))).isEqualTo("Opened account " + account);
    cli.run("fund " + account + " 1000");
    return file;
  }

  private Path keyFile(String name) throws Exception {
    var key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
    return Files.writeString(directory.resolve(name + ".pem"), pem(key));
  }

  private static String pem(PrivateKey key) {
    var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    return "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n";
  }

  @Test
  void aFileWithoutSuchAKeyIsNamed() throws Exception {
    var rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
    var file = directory.resolve("rsa.pem");
    Files.writeString(
        file,
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getEncoder().encodeToString(rsa)
            + "\n-----END PRIVATE KEY-----\n");
    assertThat(cli.execute("key " + file)).isEqualTo(2);
    assertThat(cli.err())
        .contains("is not Ed25519 or secp256k1", "sequitur schedule key alice.pem --new");
    var p256 = KeyPairGenerator.getInstance("EC");
    p256.initialize(new ECGenParameterSpec("secp256r1"));
    Files.writeString(file, pem(p256.generateKeyPair().getPrivate()));
    assertThat(cli.execute("key " + file)).isEqualTo(2);
    assertThat(cli.err()).contains("is not Ed25519 or secp256k1");
    Files.writeString(file, "no key at all");
    assertThat(cli.execute("list --key-file " + file)).isEqualTo(2);
    assertThat(cli.err()).contains("holds no private key");
    Files.writeString(file, "-----BEGIN PRIVATE KEY-----\nabcde\n-----END PRIVATE KEY-----\n");
    assertThat(cli.execute("key " + file)).isEqualTo(2);
    assertThat(cli.err()).contains("is not valid PEM");
    assertThat(cli.execute("list --key-file " + directory.resolve("none.pem"))).isEqualTo(2);
    assertThat(cli.err()).contains("There is no key file");
  }
}
