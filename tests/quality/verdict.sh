# Included by scripts. verdict STATUS WHAT LOG: counts a check, and prints the end of its log if it failed. STATUS is
# the first argument so that $? is still the status of the check: a $(...) in a later argument would change it.
passed=0 failed=0
verdict() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $2"
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
        tail -n 40 "$3" | cut -c 1-200
    fi
}
