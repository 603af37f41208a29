package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What whoever asks a mirror node is answered: paths, names of fields, pages, errors. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MirrorTest {
  private static final String OPERATOR = FrontUnderTest.OPERATOR.toString();
  private static final String NODE = "0.0.3";
  private static final TransactionWriter WRITER =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));

  private final SigningClient client = new SigningClient();
  private final KeyPair giverKey = SigningClient.ed25519();
  private final HttpClient http = HttpClient.newHttpClient();
  private FrontUnderTest front;
  private EntityId giver;
  private final List<String> schedules = new ArrayList<>();
  private AccountTransactionId ran;

  private record Answered(int status, JsonNode json) {}

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    front = new FrontUnderTest(directory, SigningClient.publicKey(client.operator));
    giver = open(giverKey, "giver");
    var change =
        AccountChange.NONE
            .withAutoRenewSeconds(Optional.of(3_000_000L))
            .withDeclineReward(Optional.of(true));
    submit(client.id(), new Operation.CryptoUpdate(giver, change), client.operator, giverKey);
    for (int i = 0; i < 3; i++) {
      schedules.add(schedule("rent " + i).toString());
    }
    var executed = client.id();
    submit(
        executed,
        new Operation.ScheduleSign(EntityId.parse(schedules.getFirst()), List.of()),
        client.operator,
        giverKey);
  }

  @AfterAll
  void stop() {
    front.close();
    http.close();
  }

  private void submit(AccountTransactionId id, Operation operation, KeyPair... keys) {
    var answered = front.call("/proto.CryptoService/any", client.signed(id, operation, keys));
    assertThat(answered.status()).as(answered.sentence()).isEqualTo("0");
    assertThat(answered.message()).isEqualTo(Bytes.EMPTY);
  }

  private EntityId open(KeyPair key, String memo) throws Exception {
    var id = client.id();
    var account =
        new Action.CryptoCreate(SigningClient.publicKey(key), new Amount(100), false, memo);
    submit(id, new Operation.CryptoCreate(account), client.operator);
    return EntityId.parse(transactions(id).get(0).get("entity_id").textValue());
  }

  private EntityId schedule(String memo) throws Exception {
    var id = client.id();
    var body =
        WRITER.scheduled(
            0,
            1_000,
            "",
            new Action.CryptoTransfer(
                List.of(
                    new AccountAmount(giver, -5), new AccountAmount(FrontUnderTest.OPERATOR, 5))));
    AccountKey admin = SigningClient.publicKey(client.operator);
    var creation =
        new Creation(body, Optional.of(admin), Optional.empty(), memo, Optional.empty(), false);
    submit(id, new Operation.ScheduleCreate(creation, List.of()), client.operator);
    ran = ran == null ? id : ran;
    return EntityId.parse(transactions(id).get(0).get("entity_id").textValue());
  }

  private JsonNode transactions(AccountTransactionId id) throws Exception {
    return found("/api/v1/transactions/" + text(id)).get("transactions");
  }

  private static String text(AccountTransactionId id) {
    return id.account()
        + "-"
        + id.validStart().seconds()
        + "-"
        + "%09d".formatted(id.validStart().nanos() % 1_000_000_000);
  }

  private JsonNode found(String path) throws Exception {
    var answered = get(path);
    assertThat(answered.status()).as(answered.json().toString()).isEqualTo(200);
    return answered.json();
  }

  private Answered get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(front.mirror() + path)).build());
  }

  private Answered send(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofByteArray());
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    return new Answered(response.statusCode(), JsonText.parse(response.body()));
  }

  private void assertRefused(String path, int status, String message) throws Exception {
    var answered = get(path);
    assertThat(answered.status()).as(path).isEqualTo(status);
    assertThat(answered.json().at("/_status/messages/0/message").textValue()).isEqualTo(message);
  }

  private static List<String> each(JsonNode array, String field) {
    var values = new ArrayList<String>();
    array.forEach(row -> values.add(row.get(field).textValue()));
    return values;
  }

  @Test
  void anAccountIsShownByEachSpellingOfItsNumber() throws Exception {
    var account = found("/api/v1/accounts/" + giver);

    assertThat(account.get("account").textValue()).isEqualTo(giver.toString());
    assertThat(account.at("/balance/balance").longValue()).isEqualTo(95);
    assertThat(account.at("/balance/timestamp").textValue()).matches("[0-9]{10}\\.[0-9]{9}");
    assertThat(account.at("/balance/tokens").isArray()).isTrue();
    assertThat(account.at("/key/_type").textValue()).isEqualTo("ED25519");
    assertThat(account.at("/key/key").textValue())
        .isEqualTo(SigningClient.publicKey(giverKey).value().toHex().replaceFirst("^0x", ""));
    assertThat(account.get("memo").textValue()).isEqualTo("giver");
    assertThat(account.get("deleted").booleanValue()).isFalse();
    assertThat(account.get("created_timestamp").textValue()).matches("[0-9]{10}\\.[0-9]{9}");
    assertThat(account.get("auto_renew_period").longValue()).isEqualTo(3_000_000);
    assertThat(account.get("decline_reward").booleanValue()).isTrue();
    assertThat(account.at("/links/next").isNull()).isTrue();
    assertThat(account.get("evm_address").textValue()).hasSize(42).startsWith("0x000");

    for (var spelt :
        List.of(
            "" + giver.number(),
            "0." + giver.number(),
            account.get("evm_address").textValue(),
            account.get("evm_address").textValue().replaceFirst("^0x", "0.0."))) {
      assertThat(found("/api/v1/accounts/" + spelt).get("account").textValue())
          .isEqualTo(giver.toString());
    }
  }

  @Test
  void anAccountIsShownWithItsTransactionsUnlessTheyAreLeftOut() throws Exception {
    var path = "/api/v1/accounts/" + giver;
    var names = List.of("CRYPTOCREATEACCOUNT", "CRYPTOUPDATEACCOUNT", "CRYPTOTRANSFER");
    var newest = found(path);
    assertThat(each(newest.get("transactions"), "name")).isEqualTo(names.reversed());
    assertThat(newest.at("/links/next").isNull()).isTrue();

    var oldest = found(path + "?order=asc&limit=1");
    assertThat(each(oldest.get("transactions"), "name")).isEqualTo(names.subList(0, 1));
    var next = oldest.at("/links/next").textValue();
    assertThat(next)
        .startsWith(
            "/api/v1/transactions?account.id=" + giver + "&limit=1&order=asc&timestamp=gt:");
    assertThat(each(found(next).get("transactions"), "name")).isEqualTo(names.subList(1, 2));

    assertThat(found(path + "?transactions=false").get("transactions")).isEmpty();
    assertRefused(path + "?timestamp=1", 400, "Unknown query parameter: timestamp");
  }

  @Test
  void balancesAreComparedOrderedAndPaged() throws Exception {
    var all = found("/api/v1/balances");
    assertThat(each(all.get("balances"), "account"))
        .containsExactly(giver.toString(), NODE, OPERATOR);
    assertThat(all.get("timestamp").textValue()).matches("[0-9]{10}\\.[0-9]{9}");
    assertThat(all.at("/links/next").isNull()).isTrue();

    var first = found("/api/v1/balances?order=asc&limit=1");
    assertThat(each(first.get("balances"), "account")).containsExactly(OPERATOR);
    var next = first.at("/links/next").textValue();
    assertThat(next).isEqualTo("/api/v1/balances?limit=1&order=asc&account.id=gt:0.0.2");
    assertThat(each(found(next).get("balances"), "account")).containsExactly(NODE);

    assertThat(each(found("/api/v1/balances?account.id=lt:" + giver).get("balances"), "account"))
        .containsExactly(NODE, OPERATOR);
    assertThat(each(found("/api/v1/balances?account.id=gte:0.0.3").get("balances"), "account"))
        .containsExactly(giver.toString(), NODE);
    assertThat(found("/api/v1/balances?account.id=gt:3&account.id=lt:" + giver).get("balances"))
        .isEmpty();
    assertThat(found("/api/v1/balances?account.id=lt:0").get("balances")).isEmpty();
  }

  @Test
  void balancesAreFilteredByAmountAndByKey() throws Exception {
    assertThat(accounts("account.balance=95")).containsExactly(giver.toString());
    assertThat(accounts("account.balance=ne:95")).containsExactly(NODE, OPERATOR);
    assertThat(accounts("account.balance=gt:95")).containsExactly(OPERATOR);
    assertThat(accounts("account.balance=lte:95")).containsExactly(giver.toString(), NODE);
    var key = SigningClient.publicKey(giverKey).value().toHex().replaceFirst("^0x", "");
    assertThat(accounts("account.publickey=" + key)).containsExactly(giver.toString());
    assertThat(accounts("account.publickey=" + "00".repeat(32))).isEmpty();
    assertRefused(
        "/api/v1/balances?account.balance=much", 400, "Invalid parameter: account.balance");
    assertRefused(
        "/api/v1/balances?account.publickey=1", 400, "Invalid parameter: account.publickey");
  }

  private List<String> accounts(String filter) throws Exception {
    return each(found("/api/v1/balances?" + filter).get("balances"), "account");
  }

  @Test
  void schedulesAreShownInOrderWithWhatBecameOfThem() throws Exception {
    var page = found("/api/v1/schedules?limit=2");
    assertThat(each(page.get("schedules"), "schedule_id"))
        .containsExactlyElementsOf(schedules.subList(0, 2));
    var rest = found(page.at("/links/next").textValue());
    assertThat(each(rest.get("schedules"), "schedule_id"))
        .containsExactlyElementsOf(schedules.subList(2, 3));
    assertThat(rest.at("/links/next").isNull()).isTrue();
    assertThat(
            each(
                found("/api/v1/schedules?order=desc&account.id=" + OPERATOR).get("schedules"),
                "schedule_id"))
        .containsExactlyElementsOf(schedules.reversed());
    assertThat(found("/api/v1/schedules?account.id=" + giver).get("schedules")).isEmpty();

    var executed = found("/api/v1/schedules/" + schedules.getFirst());
    assertThat(executed.get("executed_timestamp").textValue()).matches("[0-9]{10}\\.[0-9]{9}");
    assertThat(executed.at("/signatures/0/type").textValue()).isEqualTo("ED25519");
    var waiting = found("/api/v1/schedules/" + schedules.getLast());
    assertThat(waiting.get("executed_timestamp").isNull()).isTrue();
    assertThat(waiting.get("deleted").booleanValue()).isFalse();
    assertThat(waiting.get("consensus_timestamp").textValue()).matches("[0-9]{10}\\.[0-9]{9}");
    assertThat(waiting.get("memo").textValue()).isEqualTo("rent 2");
    assertThat(waiting.get("creator_account_id").textValue()).isEqualTo(OPERATOR);
    assertThat(waiting.get("payer_account_id").textValue()).isEqualTo(OPERATOR);
    assertThat(waiting.get("wait_for_expiry").booleanValue()).isFalse();
    assertThat(waiting.at("/admin_key/_type").textValue()).isEqualTo("ED25519");
    assertThat(waiting.get("transaction_body").textValue()).isNotBlank();
  }

  @Test
  void aTransactionIsShownWithWhatItTriggered() throws Exception {
    var rows = transactions(ran);

    assertThat(each(rows, "name")).containsExactly("SCHEDULECREATE", "CRYPTOTRANSFER");
    var created = rows.get(0);
    assertThat(created.get("max_fee").textValue()).isEqualTo("1000");
    assertThat(created.get("valid_duration_seconds").textValue()).isEqualTo("120");
    assertThat(created.get("node").textValue()).isEqualTo(NODE);
    var triggered = rows.get(1);
    assertThat(triggered.get("max_fee").textValue()).isEqualTo("1000");
    assertThat(triggered.get("valid_duration_seconds").isNull()).isTrue();
    assertThat(triggered.get("scheduled").booleanValue()).isTrue();
    assertThat(triggered.get("result").textValue()).isEqualTo("SUCCESS");
    assertThat(triggered.get("transaction_id").textValue()).isEqualTo(text(ran));
    assertThat(triggered.get("node").isNull()).isTrue();
    long sum = 0;
    for (var row : triggered.get("transfers")) {
      sum += row.get("amount").longValue();
    }
    assertThat(sum).isZero();

    var path = "/api/v1/transactions/" + text(ran);
    assertThat(each(found(path + "?scheduled=true").get("transactions"), "name"))
        .containsExactly("CRYPTOTRANSFER");
    assertThat(each(found(path + "?scheduled=false").get("transactions"), "name"))
        .containsExactly("SCHEDULECREATE");
    assertRefused(path + "?nonce=7", 404, "Not found");
  }

  private List<String> times(String path) throws Exception {
    var times = new ArrayList<String>();
    for (var next = path; next != null; ) {
      var page = found(next);
      assertThat(page.get("transactions").size()).isLessThanOrEqualTo(3);
      times.addAll(each(page.get("transactions"), "consensus_timestamp"));
      next = page.at("/links/next").textValue();
    }
    return times;
  }

  @Test
  void transactionsAreListedByTheirTimesInPages() throws Exception {
    var newestFirst = times("/api/v1/transactions?limit=3");

    // Two accounts, three schedules, a change, a signature and what it ran.
    assertThat(newestFirst).hasSizeGreaterThanOrEqualTo(7).doesNotHaveDuplicates();
    assertThat(newestFirst).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(times("/api/v1/transactions?limit=3&order=asc")).isEqualTo(newestFirst.reversed());
    var third = newestFirst.get(2);
    assertThat(times("/api/v1/transactions?limit=3&timestamp=lt:" + third))
        .isEqualTo(newestFirst.subList(3, newestFirst.size()));
    assertThat(times("/api/v1/transactions?limit=3&order=asc&timestamp=gte:" + third))
        .isEqualTo(newestFirst.subList(0, 3).reversed());
    assertThat(times("/api/v1/transactions?limit=3&timestamp=" + third)).containsExactly(third);
    assertThat(times("/api/v1/transactions?limit=3&timestamp=lt:0")).isEmpty();
    assertThat(found("/api/v1/transactions?limit=3").at("/links/next").textValue())
        .isEqualTo("/api/v1/transactions?limit=3&timestamp=lt:" + third);
  }

  @Test
  void transactionsAreListedByAccountAndResult() throws Exception {
    var ofGiver = found("/api/v1/transactions?order=asc&account.id=" + giver).get("transactions");
    assertThat(each(ofGiver, "name"))
        .containsExactly("CRYPTOCREATEACCOUNT", "CRYPTOUPDATEACCOUNT", "CRYPTOTRANSFER");
    assertThat(ofGiver.at("/2/scheduled").booleanValue()).isTrue();
    assertThat(found("/api/v1/transactions?account.id=0.0.999999").get("transactions")).isEmpty();
    assertThat(times("/api/v1/transactions?limit=3&result=success"))
        .isEqualTo(times("/api/v1/transactions?limit=3"));
    assertThat(times("/api/v1/transactions?limit=3&result=fail")).isEmpty();
    assertRefused("/api/v1/transactions?result=maybe", 400, "Invalid parameter: result");
    assertRefused("/api/v1/transactions?timestamp=ne:5", 400, "Invalid parameter: timestamp");
    assertRefused("/api/v1/transactions?type=credit", 400, "Unknown query parameter: type");
  }

  @Test
  void theFrontIsTheNodeOfTheNetwork() throws Exception {
    var nodes = found("/api/v1/network/nodes").get("nodes");

    assertThat(each(nodes, "node_account_id")).containsExactly(NODE);
    assertThat(nodes.at("/0/service_endpoints/0/ip_address_v4").textValue()).isEqualTo("127.0.0.1");
    assertThat(nodes.at("/0/service_endpoints/0/port").intValue()).isEqualTo(front.port());
    assertThat(found("/api/v1/network/nodes?node.id=gt:0").get("nodes")).isEmpty();
  }

  @Test
  void ofSeveralFrontsAllAreNodesOfTheNetwork(@TempDir Path other) throws Exception {
    var configured = FrontUnderTest.configured(other, SigningClient.publicKey(client.operator));
    var nodes = new TreeMap<EntityId, InetSocketAddress>();
    for (int number = 3; number < 6; number++) {
      nodes.put(new EntityId(number), InetSocketAddress.createUnresolved("front" + number, 50_000));
    }
    var settings = configured.hapi().orElseThrow().withNodes(nodes);
    try (var first = new FrontUnderTest(configured.withHapi(Optional.of(settings)))) {
      var path = first.mirror() + "/api/v1/network/nodes";
      var page = send(HttpRequest.newBuilder(URI.create(path + "?limit=2")).build()).json();
      assertThat(each(page.get("nodes"), "node_account_id")).containsExactly(NODE, "0.0.4");
      assertThat(page.at("/nodes/1/service_endpoints/0/domain_name").textValue())
          .isEqualTo("front4");
      assertThat(page.at("/nodes/1/node_id").intValue()).isEqualTo(1);
      var next = page.at("/links/next").textValue();
      assertThat(next).isEqualTo("/api/v1/network/nodes?limit=2&node.id=gt:1");
      var last = send(HttpRequest.newBuilder(URI.create(first.mirror() + next)).build()).json();
      assertThat(each(last.get("nodes"), "node_account_id")).containsExactly("0.0.5");
      assertThat(last.at("/links/next").isNull()).isTrue();

      var id = client.id();
      var rows =
          List.of(
              new AccountAmount(FrontUnderTest.OPERATOR, -1),
              new AccountAmount(new EntityId(3), 1));
      var paid = new Operation.CryptoTransfer(new Action.CryptoTransfer(rows));
      first.call("/proto.CryptoService/any", client.signed(id, paid, client.operator));
      var of = URI.create(first.mirror() + "/api/v1/transactions/" + text(id));
      assertThat(send(HttpRequest.newBuilder(of).build()).json().at("/transactions/0/node"))
          .as("which front took it")
          .isEqualTo(TextNode.valueOf(NODE));
    }
  }

  @Test
  void whatIsNotThereOrNotReadableIsTold() throws Exception {
    assertRefused("/api/v1/accounts/0.0.999999", 404, "Not found");
    assertRefused("/api/v1/schedules/0.0.999999", 404, "Not found");
    assertRefused("/api/v1/transactions/0.0.2-1700000000-000000000", 404, "Not found");
    assertRefused("/api/v1/topics/0.0.5", 404, "Not found");
    assertRefused("/", 404, "Not found");
    assertRefused("/api/v1/schedules/x", 400, "Invalid parameter: scheduleId");
    assertRefused("/api/v1/accounts/x", 400, "Invalid parameter: idOrAliasOrEvmAddress");
    assertRefused("/api/v1/balances?limit=0", 400, "Invalid parameter: limit");
    assertRefused("/api/v1/balances?order=up", 400, "Invalid parameter: order");
    assertRefused("/api/v1/balances?account.id=ne:5", 400, "Invalid parameter: account.id");
    assertRefused("/api/v1/balances?colour=red", 400, "Unknown query parameter: colour");
    assertRefused("/api/v1/balances?limit=1&limit=2", 400, "Invalid parameter: limit");
    assertThat(get("/api/v1/transactions/0.0.2").json().toString())
        .contains("shard.realm.num-sss-nnn");

    var posted =
        HttpRequest.newBuilder(URI.create(front.mirror() + "/api/v1/balances"))
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    assertThat(send(posted).status()).isEqualTo(405);
  }
}
